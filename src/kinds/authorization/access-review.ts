/** What the three access reviews have in common: validation, the question to the authorizer, and its answer. */
import type {
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus
} from '../../api/generated/authorization-v1.js'
import type { ObjectMeta } from '../../api/generated/meta-v1.js'
import type { Services } from '../../registry/services.js'
import type { AuthorizationAttributes } from '../../request/authorization.js'
import type { UserInfo } from '../../request/user.js'
import { equalJson } from '../../util/json.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { internalText } from '../../validation/internal-text.js'
import { invalidObject } from '../../validation/invalid.js'
import { inGoOrder } from '../metadata-order.js'
import { fieldRequirements, unreadableSelectors, validateSelectors } from './selectors.js'

type Spec = SelfSubjectAccessReviewSpec

const at = Path.of('spec')

export function validateSpec(spec: Spec, errors: FieldErrors): void {
  const { resourceAttributes: resource, nonResourceAttributes: nonResource } = spec
  if (resource && nonResource) {
    errors.invalid(
      at.child('nonResourceAttributes'),
      internalText('authorization.v1.NonResourceAttributes', nonResource),
      'cannot be specified in combination with resourceAttributes'
    )
  } else if (!resource && !nonResource) {
    errors.invalid(
      at.child('resourceAttributes'),
      null,
      'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    )
  }
}

/** What comes last in a specification, after its subject. */
export function validateResource({ resourceAttributes: resource }: Spec, errors: FieldErrors): void {
  if (resource) validateSelectors(resource, at.child('resourceAttributes'), errors)
}

/** A review about anybody: what is asked, about whom, and in which words. */
export function validateReview(spec: SubjectAccessReviewSpec, errors: FieldErrors): void {
  validateSpec(spec, errors)
  validateSubject(spec, errors)
  validateResource(spec, errors)
}

function validateSubject({ user = '', groups = [] }: SubjectAccessReviewSpec, errors: FieldErrors): void {
  if (user === '' && groups.length === 0)
    errors.invalid(at.child('user'), user, 'at least one of user or group must be specified')
}

/** Reviews have no name nor anything else that objects have. */
export function validateMetadata(metadata: ObjectMeta, errors: FieldErrors, except?: 'namespace'): void {
  const { managedFields: _, namespace, ...rest } = metadata
  if (!equalJson(rest, {}) || (namespace && !except))
    errors.invalid('metadata', inGoOrder(metadata), except ? `must be empty except for ${except}` : 'must be empty')
}

/** Reviews that are wrong are told so without a name of their kind. */
export function refuseIfAny(errors: FieldErrors): void {
  if (errors.any) throw invalidObject({ group: 'authorization.k8s.io', kind: '' }, '', errors)
}

export const subjectOf = ({ user = '', uid, groups = [], extra }: SubjectAccessReviewSpec): UserInfo => ({
  name: user,
  uid,
  groups,
  extra: extra && lowerCaseKeys(extra)
})

const lowerCaseKeys = (extra: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values]))

export async function review(spec: Spec, user: UserInfo, { authorizer }: Services): Promise<SubjectAccessReviewStatus> {
  const { allowed, reason } = await authorizer.authorize(attributesOf(spec, user))
  const evaluationError = unreadableSelectors(spec.resourceAttributes, at.child('resourceAttributes'))
  return { allowed, ...(reason === '' ? {} : { reason }), ...(evaluationError === '' ? {} : { evaluationError }) }
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
    ? { ...about, isResourceRequest: true, verb, path: '', fieldSelector: fieldRequirements(resource) }
    : { ...about, version: '', isResourceRequest: false, verb: nonResource?.verb ?? '', path: nonResource?.path ?? '' }
}
