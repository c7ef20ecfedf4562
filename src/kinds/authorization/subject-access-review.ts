import type { SubjectAccessReview } from '../../apimachinery/api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'

export const subjectAccessReview = defineKind<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  resource: 'subjectaccessreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SubjectAccessReview' }],
  virtual: true
})
