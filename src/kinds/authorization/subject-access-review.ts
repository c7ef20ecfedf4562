import type { SubjectAccessReview } from '../../api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'
import { FieldErrors } from '../../validation/field.js'
import { refuseIfAny, review, subjectOf, validateMetadata, validateReview } from './access-review.js'

export const subjectAccessReview = defineKind<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  resource: 'subjectaccessreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SubjectAccessReview' }],
  virtual: {
    async create(o: SubjectAccessReview, { services }, judge) {
      const errors = new FieldErrors()
      validateReview(o.spec, errors)
      validateMetadata(o.metadata, errors)
      refuseIfAny(errors)
      await judge(o)
      return { ...o, status: await review(o.spec, subjectOf(o.spec), services) }
    }
  }
})
