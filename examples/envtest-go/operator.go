package courses

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// webhooks validate courses and complete them.
type webhooks struct{}

func (webhooks) Default(_ context.Context, course *Course) error {
	if course.Spec.Room == "" {
		course.Spec.Room = "library"
	}
	return nil
}

func (webhooks) ValidateCreate(_ context.Context, course *Course) (admission.Warnings, error) {
	if course.Spec.End < course.Spec.Start {
		return nil, fmt.Errorf("a course cannot end on day %d, before it starts on day %d", course.Spec.End, course.Spec.Start)
	}
	return nil, nil
}

func (w webhooks) ValidateUpdate(ctx context.Context, _, course *Course) (admission.Warnings, error) {
	return w.ValidateCreate(ctx, course)
}

func (webhooks) ValidateDelete(context.Context, *Course) (admission.Warnings, error) {
	return nil, nil
}

// reconciler writes into the status how long a course takes.
type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	course := &Course{}
	if err := r.Get(ctx, request.NamespacedName, course); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	days := course.Spec.End - course.Spec.Start + 1
	if course.Status.Days == days {
		return ctrl.Result{}, nil
	}
	course.Status.Days = days
	return ctrl.Result{}, r.Status().Update(ctx, course)
}

// SetUp adds the reconciler and the webhooks to a manager.
func SetUp(manager ctrl.Manager) error {
	if err := ctrl.NewControllerManagedBy(manager).For(&Course{}).Complete(&reconciler{manager.GetClient()}); err != nil {
		return err
	}
	return ctrl.NewWebhookManagedBy(manager, &Course{}).WithDefaulter(webhooks{}).WithValidator(webhooks{}).Complete()
}
