package main

import (
	"context"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "compare.example.com/archive"

type reconciler struct {
	client.Client
	recorder events.EventRecorder
}

// Reconcile gives a course its room, and says so in the status. A course that goes is counted in the archive.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	course := &Course{}
	if err := r.Get(ctx, request.NamespacedName, course); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !course.DeletionTimestamp.IsZero() {
		if !controllerutil.ContainsFinalizer(course, finalizer) {
			return ctrl.Result{}, nil
		}
		if err := r.archive(ctx, course); err != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(course, finalizer)
		return ctrl.Result{}, r.Update(ctx, course)
	}
	if controllerutil.AddFinalizer(course, finalizer) {
		if err := r.Update(ctx, course); err != nil {
			return ctrl.Result{}, err
		}
	}
	room := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: course.Namespace, Name: "room-" + course.Name}}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, room, func() error {
		room.Data = map[string]string{"seats": strconv.Itoa(course.Spec.Seats)}
		return controllerutil.SetControllerReference(course, room, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if result == controllerutil.OperationResultCreated {
		r.recorder.Eventf(course, room, corev1.EventTypeNormal, "RoomMade", "Make", "made the room %s", room.Name)
	}
	changed := meta.SetStatusCondition(&course.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "RoomReady", Message: "the room is there", ObservedGeneration: course.Generation,
	})
	if !changed && course.Status.Seats == course.Spec.Seats {
		return ctrl.Result{}, nil
	}
	course.Status.Seats = course.Spec.Seats
	return ctrl.Result{}, r.Status().Update(ctx, course)
}

// archive counts the course once, in a ConfigMap that all courses of the namespace share.
func (r *reconciler) archive(ctx context.Context, course *Course) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		archive := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: course.Namespace, Name: "archive"}}
		_, err := controllerutil.CreateOrUpdate(ctx, r.Client, archive, func() error {
			if archive.Data == nil {
				archive.Data = map[string]string{}
			}
			archive.Data[course.Name] = strconv.Itoa(course.Spec.Seats)
			return nil
		})
		if apierrors.IsAlreadyExists(err) {
			return apierrors.NewConflict(corev1.Resource("configmaps"), "archive", err)
		}
		return err
	})
}

func setUp(manager ctrl.Manager, workers int) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&Course{}).
		Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{manager.GetClient(), manager.GetEventRecorder("courses")})
}
