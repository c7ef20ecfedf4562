import type { SelfSubjectAccessReview } from '../../api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'
import { FieldErrors } from '../../validation/field.js'
import { refuseIfAny, review, validateMetadata, validateResource, validateSpec } from './access-review.js'

export const selfSubjectAccessReview = defineKind<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  resource: 'selfsubjectaccessreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SelfSubjectAccessReview' }],
  virtual: {
    async create(o: SelfSubjectAccessReview, { services, user }, judge) {
      const errors = new FieldErrors()
      validateSpec(o.spec, errors)
      validateResource(o.spec, errors)
      validateMetadata(o.metadata, errors)
      refuseIfAny(errors)
      await judge(o)
      return { ...o, status: await review(o.spec, user, services) }
    }
  }
})
