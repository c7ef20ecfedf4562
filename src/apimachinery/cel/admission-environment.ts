/**
 * The environment for expressions of admission policies and match conditions
 * (https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#validation-expression).
 */
import type { Environment } from './environment.js'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { authorizerType, resourceCheckType } from './library/authorization.js'
import { jsonPatchLibrary, patchType } from './library/json-patch.js'
import {
  boolType,
  dynType,
  intType,
  isOptional,
  listType,
  mapType,
  objectType,
  stringType,
  type Type,
  timestampType
} from './types.js'

export interface AdmissionVariables {
  readonly params?: boolean
  /** Whether there is an `authorizer`. 'alone' leaves out the one of the request's resource, as in type checks. */
  readonly authorizer?: boolean | 'alone'
  /** Whether the types for mutations exist: Object, JSONPatch. */
  readonly patches?: boolean
  /** The types of a policy's own variables, by name. If undefined, `variables` does not exist. */
  readonly variables?: ReadonlyMap<string, Type> | undefined
  /** The types of objects and parameters; dynamic by default. */
  readonly types?: { readonly object: Type; readonly params: Type | undefined }
}

const object = (name: string, fields: Readonly<Record<string, Type>>) =>
  objectType(`kubernetes.${name}`, new Map(Object.entries(fields)))
const strings = (...names: string[]) => Object.fromEntries(names.map(name => [name, stringType]))
const stringList = listType(stringType)
const stringMap = mapType(stringType, stringType)

const kindType = object('GroupVersionKind', strings('group', 'version', 'kind'))
const resourceType = object('GroupVersionResource', strings('group', 'version', 'resource'))
export const userType = object('UserInfo', {
  ...strings('username', 'uid'),
  groups: stringList,
  extra: mapType(stringType, stringList)
})
const requestType = object('AdmissionRequest', {
  ...strings('name', 'namespace', 'operation', 'subResource', 'requestSubResource'),
  kind: kindType,
  requestKind: kindType,
  resource: resourceType,
  requestResource: resourceType,
  userInfo: userType,
  dryRun: boolType,
  options: dynType
})

const namespaceMetadataType = object('NamespaceMetadata', {
  ...strings('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
  labels: stringMap,
  annotations: stringMap,
  creationTimestamp: timestampType,
  deletionTimestamp: timestampType,
  deletionGracePeriodSeconds: intType,
  generation: intType,
  finalizers: stringList
})
const namespaceSpecType = object('NamespaceSpec', { finalizers: stringList })
const namespaceConditionType = object('NamespaceCondition', {
  ...strings('type', 'status', 'reason', 'message'),
  lastTransitionTime: timestampType
})
const namespaceStatusType = object('NamespaceStatus', { phase: stringType, conditions: listType(namespaceConditionType) })
const namespaceType = object('Namespace', {
  metadata: namespaceMetadataType,
  spec: namespaceSpecType,
  status: namespaceStatusType
})

const base = kubernetesEnvironment.extend(
  new Map([
    ['object', dynType],
    ['oldObject', dynType],
    ['request', requestType],
    ['namespaceObject', namespaceType]
  ]),
  [
    requestType,
    kindType,
    resourceType,
    userType,
    namespaceType,
    namespaceMetadataType,
    namespaceSpecType,
    namespaceStatusType,
    namespaceConditionType
  ]
)

const patchBase = base.withLibrary(jsonPatchLibrary, patchType)

export function admissionEnvironment(given: AdmissionVariables): Environment {
  const { params = false, authorizer = false, patches = false, variables, types } = given
  const more = new Map<string, Type>()
  if (types) more.set('object', types.object).set('oldObject', types.object)
  if (params) more.set('params', types?.params ?? dynType)
  if (authorizer) more.set('authorizer', authorizerType)
  if (authorizer === true) more.set('authorizer.requestResource', resourceCheckType)
  if (variables) more.set('variables', objectType('kubernetes.variables', variables))
  return (patches ? patchBase : base).extend(more)
}

/**
 * Returns the type that a policy's variable has in later expressions: the type of its expression, or dyn for objects, optionals,
 * types, and types of libraries.
 */
export function variableType(type: Type): Type {
  if (type.kind === 'list' || type.kind === 'map') return { ...type, params: type.params.map(variableType) }
  return type.kind === 'object' || type.kind === 'opaque' || type.kind === 'type' || isOptional(type) ? dynType : type
}
