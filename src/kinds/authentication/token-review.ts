import type { TokenReview } from '../../apimachinery/api/generated/authentication-v1.js'
import { defineKind } from '../../registry/kind.js'

export const tokenReview = defineKind<TokenReview>({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  resource: 'tokenreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authentication.v1.TokenReview' }],
  virtual: true
})
