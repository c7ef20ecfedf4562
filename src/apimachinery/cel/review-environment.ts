/**
 * The environment for the match conditions of authorization webhooks: `request` is the spec of a SubjectAccessReview v1
 * (https://kubernetes.io/docs/reference/access-authn-authz/authorization/#using-configuration-file-for-authorization).
 */
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { listType, mapType, objectType, stringType, type Type } from './types.js'

const object = (name: string, fields: Readonly<Record<string, Type>>) =>
  objectType(`kubernetes.${name}`, new Map(Object.entries(fields)))
const strings = (...names: string[]) => Object.fromEntries(names.map(name => [name, stringType]))
const stringList = listType(stringType)

const requirementType = object('SelectorRequirement', { ...strings('key', 'operator'), values: stringList })
const selector = (name: string) => object(name, { rawSelector: stringType, requirements: listType(requirementType) })
const fieldSelectorType = selector('FieldSelectorAttributes')
const labelSelectorType = selector('LabelSelectorAttributes')
const resourceType = object('ResourceAttributes', {
  ...strings('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
  fieldSelector: fieldSelectorType,
  labelSelector: labelSelectorType
})
const nonResourceType = object('NonResourceAttributes', strings('path', 'verb'))
const requestType = object('SubjectAccessReviewSpec', {
  resourceAttributes: resourceType,
  nonResourceAttributes: nonResourceType,
  ...strings('user', 'uid'),
  groups: stringList,
  extra: mapType(stringType, stringList)
})

export const reviewEnvironment = kubernetesEnvironment.extend(new Map([['request', requestType]]), [
  requestType,
  resourceType,
  nonResourceType,
  fieldSelectorType,
  labelSelectorType,
  requirementType
])
