// Package courses has tests of what a school does with a Kubernetes API. Needs npm install binnacle.
package courses

import (
	"fmt"
	"os"
	"testing"
	"time"

	binnacle "github.com/binnacle-dev/binnacle/clients/go"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/clientcmd"
)

// The process of all tests. A package whose tests begin empty needs none: binnacle.Start(t) starts it.
var process *binnacle.Process

func TestMain(m *testing.M) {
	if err := setup(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// setup makes what all tests begin with.
func setup() (err error) {
	if process, err = binnacle.Launch(); err != nil {
		return err
	}
	course := map[string]any{"metadata": map[string]string{"name": "chess"}, "data": map[string]string{"room": "library"}}
	if err := process.Request("POST", "/api/v1/namespaces/default/configmaps", course, nil); err != nil {
		return err
	}
	return process.TakeSnapshot("courses")
}

// start gives a test a server of its own, with a client.
func start(t *testing.T) (*binnacle.Server, typed.ConfigMapInterface) {
	t.Helper()
	server := process.Start(t, binnacle.Options{Snapshot: "courses"})
	config, err := clientcmd.RESTConfigFromKubeConfig(server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return server, kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default")
}

func TestCourseIsCancelled(t *testing.T) {
	t.Parallel()
	_, courses := start(t)
	if err := courses.Delete(t.Context(), "chess", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := courses.Get(t.Context(), "chess", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

func TestOtherTestsDoNotSeeIt(t *testing.T) {
	t.Parallel()
	_, courses := start(t)
	if course, err := courses.Get(t.Context(), "chess", metav1.GetOptions{}); err != nil || course.Data["room"] != "library" {
		t.Fatal(course, err)
	}
}

func TestWriteFailsOnce(t *testing.T) {
	t.Parallel()
	server, courses := start(t)
	if _, err := server.AddFault(binnacle.Rule{"verb": "delete", "resource": "configmaps", "times": 1, "status": 409}); err != nil {
		t.Fatal(err)
	}
	if err := courses.Delete(t.Context(), "chess", metav1.DeleteOptions{}); !apierrors.IsConflict(err) {
		t.Fatal(err)
	}
	if err := courses.Delete(t.Context(), "chess", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestCourseBeginsAtChristmas(t *testing.T) {
	t.Parallel()
	server, courses := start(t)
	christmas := time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
	if err := server.Freeze(christmas); err != nil {
		t.Fatal(err)
	}
	carols := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "carols"}}
	made, err := courses.Create(t.Context(), carols, metav1.CreateOptions{})
	if err != nil || !made.CreationTimestamp.Time.Equal(christmas) {
		t.Fatal(made, err)
	}
}
