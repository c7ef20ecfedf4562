package courses

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

var api client.Client

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	if err := AddToScheme(scheme.Scheme); err != nil {
		log.Fatal(err)
	}
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"config/crd"},
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{"config/webhook"}},
	}
	code, err := run(m, environment)
	if stopError := environment.Stop(); err == nil {
		err = stopError
	}
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

func run(m *testing.M, environment *envtest.Environment) (int, error) {
	began := time.Now()
	config, err := environment.Start()
	if err != nil {
		return 1, err
	}
	fmt.Printf("envtest started in %d ms\n", time.Since(began).Milliseconds())
	if api, err = client.New(config, client.Options{}); err != nil {
		return 1, err
	}
	options := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: metrics.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    options.LocalServingHost,
			Port:    options.LocalServingPort,
			CertDir: options.LocalServingCertDir,
		}),
	})
	if err != nil {
		return 1, err
	}
	if err := SetUp(manager); err != nil {
		return 1, err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	ready := manager.GetWebhookServer().StartedChecker()
	for ready(nil) != nil {
		time.Sleep(10 * time.Millisecond)
	}
	code := m.Run()
	stop()
	return code, <-ended
}

func newCourse(name string, start, end int) *Course {
	return &Course{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: CourseSpec{Start: start, End: end}}
}

func TestWebhookRefusesACourseThatEndsBeforeItStarts(t *testing.T) {
	err := api.Create(t.Context(), newCourse("backwards", 5, 3))
	if err == nil || !strings.Contains(err.Error(), "cannot end on day 3, before it starts on day 5") {
		t.Fatalf("unexpected answer: %v", err)
	}
}

func TestWebhookCompletesACourse(t *testing.T) {
	course := newCourse("history", 1, 5)
	if err := api.Create(t.Context(), course); err != nil {
		t.Fatal(err)
	}
	if course.Spec.Room != "library" {
		t.Fatalf("the room is %q", course.Spec.Room)
	}
}

func TestSchemaRefusesADayThatNoYearHas(t *testing.T) {
	err := api.Create(t.Context(), newCourse("leap", 1, 367))
	if err == nil || !strings.Contains(err.Error(), "spec.end in body should be less than or equal to 366") {
		t.Fatalf("unexpected answer: %v", err)
	}
}

func TestReconcilerWritesTheStatus(t *testing.T) {
	course := newCourse("physics", 10, 14)
	if err := api.Create(t.Context(), course); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); course.Status.Days != 5; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the status is %+v", course.Status)
		}
		if err := api.Get(t.Context(), client.ObjectKeyFromObject(course), course); err != nil {
			t.Fatal(err)
		}
	}
}
