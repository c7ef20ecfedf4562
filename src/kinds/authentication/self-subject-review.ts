import type { SelfSubjectReview } from '../../apimachinery/api/generated/authentication-v1.js'
import { defineKind } from '../../registry/kind.js'

export const selfSubjectReview = defineKind<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  resource: 'selfsubjectreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authentication.v1.SelfSubjectReview' }],
  virtual: true
})
