import type { LocalSubjectAccessReview } from '../../api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'

/** A review that users can be allowed to make in one namespace only. */
export const localSubjectAccessReview = defineKind<LocalSubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'LocalSubjectAccessReview',
  resource: 'localsubjectaccessreviews',
  namespaced: true,
  versions: [{ name: 'v1', type: 'authorization.v1.LocalSubjectAccessReview' }],
  virtual: true
})
