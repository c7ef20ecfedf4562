import type { SelfSubjectRulesReview } from '../../apimachinery/api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'

export const selfSubjectRulesReview = defineKind<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  resource: 'selfsubjectrulesreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SelfSubjectRulesReview' }],
  virtual: true
})
