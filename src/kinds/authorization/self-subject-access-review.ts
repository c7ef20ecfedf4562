import type { SelfSubjectAccessReview } from '../../apimachinery/api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'

export const selfSubjectAccessReview = defineKind<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  resource: 'selfsubjectaccessreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SelfSubjectAccessReview' }],
  virtual: true
})
