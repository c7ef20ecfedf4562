package main

import (
	"context"
	"log"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var api client.Client

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	if err := addToScheme(scheme.Scheme); err != nil {
		log.Fatal(err)
	}
	environment := &envtest.Environment{CRDDirectoryPaths: []string{"../config"}}
	code, err := runTests(m, environment)
	if stopError := environment.Stop(); err == nil {
		err = stopError
	}
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

func runTests(m *testing.M, environment *envtest.Environment) (int, error) {
	config, err := environment.Start()
	if err != nil {
		return 1, err
	}
	if api, err = client.New(config, client.Options{}); err != nil {
		return 1, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: metrics.Options{BindAddress: "0"}})
	if err != nil {
		return 1, err
	}
	if err := setUp(manager, 4); err != nil {
		return 1, err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	code := m.Run()
	stop()
	return code, <-ended
}

// eventually waits for the condition, and reads the object before each look.
func eventually(t *testing.T, object client.Object, condition func(error) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if condition(api.Get(t.Context(), client.ObjectKeyFromObject(object), object)) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is %+v", object.GetName(), object)
		}
	}
}

func made(t *testing.T, name string, seats int) (*Course, *corev1.ConfigMap) {
	t.Helper()
	course := &Course{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: CourseSpec{Seats: seats}}
	if err := api.Create(t.Context(), course); err != nil {
		t.Fatal(err)
	}
	return course, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "room-" + name}}
}

func TestACourseGetsARoomAndBecomesReady(t *testing.T) {
	course, room := made(t, "algebra", 20)
	eventually(t, course, func(error) bool { return course.Status.Seats == 20 && len(course.Status.Conditions) == 1 })
	eventually(t, room, func(error) bool { return room.Data["seats"] == "20" })
	if !metav1.IsControlledBy(room, course) {
		t.Fatalf("the room has the owners %v", room.OwnerReferences)
	}
}

func TestARoomThatIsDeletedOrChangedIsMendedAgain(t *testing.T) {
	_, room := made(t, "history", 10)
	eventually(t, room, func(err error) bool { return err == nil })
	uid := room.UID
	if err := api.Delete(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	eventually(t, room, func(err error) bool { return err == nil && room.UID != uid })
	room.Data["seats"] = "none"
	if err := api.Update(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	eventually(t, room, func(error) bool { return room.Data["seats"] == "10" })
}

func TestACourseThatChangesChangesItsRoom(t *testing.T) {
	course, room := made(t, "physics", 5)
	eventually(t, course, func(error) bool { return course.Status.Seats == 5 })
	course.Spec.Seats = 6
	if err := api.Update(t.Context(), course); err != nil {
		t.Fatal(err)
	}
	eventually(t, room, func(error) bool { return room.Data["seats"] == "6" })
}

func TestACourseThatGoesIsArchived(t *testing.T) {
	course, _ := made(t, "latin", 7)
	eventually(t, course, func(error) bool { return course.Status.Seats == 7 })
	if err := api.Delete(t.Context(), course); err != nil {
		t.Fatal(err)
	}
	eventually(t, course, apierrors.IsNotFound)
	archive := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "archive"}}
	eventually(t, archive, func(error) bool { return archive.Data["latin"] == "7" })
}
