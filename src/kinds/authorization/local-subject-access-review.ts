import type { LocalSubjectAccessReview } from '../../apimachinery/api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'

/** A SubjectAccessReview about one namespace, which users can be allowed to make in that namespace only. */
export const localSubjectAccessReview = defineKind<LocalSubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'LocalSubjectAccessReview',
  resource: 'localsubjectaccessreviews',
  namespaced: true,
  versions: [{ name: 'v1', type: 'authorization.v1.LocalSubjectAccessReview' }],
  virtual: true
})
