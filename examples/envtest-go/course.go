// Package courses is a small operator: a kind, a defaulting and a validating webhook, and a reconciler. Its test runs them with envtest.
package courses

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "school.example.com", Version: "v1"}

// Course takes place on some days of a year, from Start to End.
type Course struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              CourseSpec   `json:"spec"`
	Status            CourseStatus `json:"status,omitempty"`
}

type CourseSpec struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Room  string `json:"room,omitempty"`
}

type CourseStatus struct {
	Days int `json:"days,omitempty"`
}

type CourseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []Course `json:"items"`
}

func (c *Course) DeepCopyObject() runtime.Object {
	result := *c
	c.ObjectMeta.DeepCopyInto(&result.ObjectMeta)
	return &result
}

func (l *CourseList) DeepCopyObject() runtime.Object {
	result := *l
	l.ListMeta.DeepCopyInto(&result.ListMeta)
	result.Items = make([]Course, len(l.Items))
	for i := range l.Items {
		result.Items[i] = *l.Items[i].DeepCopyObject().(*Course)
	}
	return &result
}

// AddToScheme makes the kinds known to clients.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Course{}, &CourseList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
