import type { LocalSubjectAccessReview } from '../../api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'
import { FieldErrors } from '../../validation/field.js'
import { internalText } from '../../validation/internal-text.js'
import { refuseIfAny, review, subjectOf, validateMetadata, validateReview } from './access-review.js'

/** A review that whoever may review in one namespace only can ask for. */
export const localSubjectAccessReview = defineKind<LocalSubjectAccessReview>({
  group: 'authorization.k8s.io',
  kind: 'LocalSubjectAccessReview',
  resource: 'localsubjectaccessreviews',
  namespaced: true,
  versions: [{ name: 'v1', type: 'authorization.v1.LocalSubjectAccessReview' }],
  virtual: {
    async create(o: LocalSubjectAccessReview, { services, namespace }, judge) {
      const errors = new FieldErrors()
      const { resourceAttributes: resource, nonResourceAttributes: nonResource } = o.spec
      validateReview(o.spec, errors)
      validateMetadata(o.metadata, errors, 'namespace')
      if (resource && (resource.namespace ?? '') !== namespace)
        errors.invalid('spec.resourceAttributes.namespace', resource.namespace ?? '', 'must match metadata.namespace')
      if (nonResource)
        errors.invalid(
          'spec.nonResourceAttributes',
          internalText('authorization.v1.NonResourceAttributes', nonResource),
          'disallowed on this kind of request'
        )
      refuseIfAny(errors)
      await judge(o)
      return { ...o, status: await review(o.spec, subjectOf(o.spec), services) }
    }
  }
})
