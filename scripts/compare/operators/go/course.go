// Package main is the operator of ../node in Go: they are compared by ../main.mjs.
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "compare.example.com", Version: "v1"}

// Course has seats; its room is a ConfigMap.
type Course struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CourseSpec   `json:"spec"`
	Status            CourseStatus `json:"status,omitempty"`
}

type CourseSpec struct {
	Seats int `json:"seats"`
}

type CourseStatus struct {
	Seats      int                `json:"seats,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type CourseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Course `json:"items"`
}

func (c *Course) DeepCopyObject() runtime.Object {
	result := *c
	c.ObjectMeta.DeepCopyInto(&result.ObjectMeta)
	result.Status.Conditions = append([]metav1.Condition(nil), c.Status.Conditions...)
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

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Course{}, &CourseList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
