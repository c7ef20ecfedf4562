/** The three access reviews, which ask the authorizer whether a user may make a request. */
import type {
  LocalSubjectAccessReview,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus
} from '../../../apimachinery/api/generated/authorization-v1.js'
import type { ObjectMeta } from '../../../apimachinery/api/generated/meta-v1.js'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { internalText } from '../../../apimachinery/validation/internal-text.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { inGoOrder } from '../../../kinds/metadata-order.js'
import type { Services } from '../../../registry/services.js'
import { equalJson } from '../../../util/json.js'
import type { Implementation } from '../implementation.js'
import { fieldRequirements, labelRequirements, unreadableSelectors, validateSelectors } from './selectors.js'

type Spec = SelfSubjectAccessReviewSpec

const at = Path.of('spec')

export const subjectAccessReview: Implementation = {
  async create({ operation: { services }, validateAdmission }, o: SubjectAccessReview) {
    const errors = new FieldErrors()
    validateReview(o.spec, errors)
    validateMetadata(o.metadata, errors)
    throwIfAny(errors)
    await validateAdmission(o)
    return { ...o, status: await review(o.spec, subjectOf(o.spec), services) }
  }
}

export const localSubjectAccessReview: Implementation = {
  async create({ namespace, operation: { services }, validateAdmission }, o: LocalSubjectAccessReview) {
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
    throwIfAny(errors)
    await validateAdmission(o)
    return { ...o, status: await review(o.spec, subjectOf(o.spec), services) }
  }
}

export const selfSubjectAccessReview: Implementation = {
  async create({ operation: { services, user }, validateAdmission }, o: SelfSubjectAccessReview) {
    const errors = new FieldErrors()
    validateSpec(o.spec, errors)
    validateResource(o.spec, errors)
    validateMetadata(o.metadata, errors)
    throwIfAny(errors)
    await validateAdmission(o)
    return { ...o, status: await review(o.spec, user, services) }
  }
}

function validateSpec(spec: Spec, errors: FieldErrors): void {
  const { resourceAttributes: resource, nonResourceAttributes: nonResource } = spec
  if (Boolean(resource) !== Boolean(nonResource)) return
  const shown = nonResource ? internalText('authorization.v1.NonResourceAttributes', nonResource) : null
  errors.invalid(at, shown, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')
}

/** Validates the last part of the spec, which comes after the subject. */
function validateResource({ resourceAttributes: resource }: Spec, errors: FieldErrors): void {
  if (resource) validateSelectors(resource, at.child('resourceAttributes'), errors)
}

/** Validates a review of any user: the question, the user, and the selectors, in this order. */
function validateReview(spec: SubjectAccessReviewSpec, errors: FieldErrors): void {
  validateSpec(spec, errors)
  validateSubject(spec, errors)
  validateResource(spec, errors)
}

function validateSubject({ user = '', groups = [] }: SubjectAccessReviewSpec, errors: FieldErrors): void {
  if (user === '' && groups.length === 0)
    errors.invalid(at.child('user'), user, 'at least one of user or group must be specified')
}

/** Validates the metadata: reviews have none, because they are never stored. */
function validateMetadata(metadata: ObjectMeta, errors: FieldErrors, except?: 'namespace'): void {
  const { managedFields: _, namespace, ...rest } = metadata
  if (!equalJson(rest, {}) || (namespace && !except))
    errors.invalid('metadata', inGoOrder(metadata), except ? `must be empty except for ${except}` : 'must be empty')
}

/** Throws the errors of a review, which do not name its kind. */
function throwIfAny(errors: FieldErrors): void {
  if (errors.any) throw invalidObject({ group: 'authorization.k8s.io', kind: '' }, '', errors)
}

const subjectOf = ({ user = '', uid, groups = [], extra }: SubjectAccessReviewSpec): UserInfo => ({
  name: user,
  uid,
  groups,
  extra
})

async function review(spec: Spec, user: UserInfo, { authorizer }: Services): Promise<SubjectAccessReviewStatus> {
  const { allowed, denied, reason, error } = await authorizer.authorize(attributesOf(spec, user))
  const problems = [error ?? '', unreadableSelectors(spec.resourceAttributes, at.child('resourceAttributes'))]
  const evaluationError = problems.filter(text => text !== '').join('; ')
  return {
    allowed,
    ...(denied ? { denied } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError })
  }
}

function attributesOf(
  { resourceAttributes: resource, nonResourceAttributes: nonResource }: Spec,
  user: UserInfo
): AuthorizationAttributes {
  const {
    verb = '',
    group = '',
    version = '*',
    resource: name = '',
    subresource = '',
    namespace = '',
    name: object = ''
  } = resource ?? ({} as ResourceAttributes)
  const about = { user, group, version, resource: name, subresource, namespace, name: object }
  return resource
    ? {
        ...about,
        isResourceRequest: true,
        verb,
        path: '',
        fieldSelector: fieldRequirements(resource),
        labelSelector: labelRequirements(resource)
      }
    : { ...about, version: '', isResourceRequest: false, verb: nonResource?.verb ?? '', path: nonResource?.path ?? '' }
}
