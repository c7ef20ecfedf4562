/** The values that variables have in the expressions of policies and match conditions, for one request. */

import * as refs from '../../apimachinery/api/resources.js'
import type { Activation } from '../../apimachinery/cel/evaluate/frame.js'
import { jsonValue } from '../../apimachinery/cel/values/json.js'
import type { Value } from '../../apimachinery/cel/values/value.js'
import type { JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import type { Authorizers } from './authorizers.js'
import { operationOptions } from './operation-options.js'
import { requestedResource } from './rules.js'
import { kindOf, type ServedResource } from './served-resource.js'

export interface RequestValues {
  readonly object: Value
  readonly oldObject: Value
  readonly request: Value
  readonly params?: Value
  readonly namespaceObject?: Value
  /** Undefined where the expression must not use the authorizer. */
  readonly authorizers?: Authorizers | undefined
}

/** Makes the activation of an expression. `variables` makes the value of `variables`, whose expressions may use all others. */
export function activationOf(values: RequestValues, variables?: (activation: Activation) => Value): Activation {
  let own: Value | undefined
  const activation = (name: string): Value | undefined => {
    switch (name) {
      case 'object':
        return values.object
      case 'oldObject':
        return values.oldObject
      case 'request':
        return values.request
      case 'params':
        return values.params ?? null
      case 'namespaceObject':
        return values.namespaceObject ?? null
      case 'authorizer':
        return values.authorizers?.all
      case 'authorizer.requestResource':
        return values.authorizers?.requestResource
      case 'variables':
        return own
      default:
        return undefined
    }
  }
  own = variables?.(activation)
  return activation
}

/** The value of `request`. */
export const requestValue = (attributes: AdmissionAttributes, matched: ServedResource, kind = matched): Value =>
  jsonValue({ ...describeRequest(attributes, matched, kind), object: null, oldObject: null })

/**
 * Describes a request as an AdmissionReview does, but without its objects. `resource` and `kind` are those that the rule matched,
 * `requestResource` and `requestKind` those that the client asked for.
 */
export function describeRequest(attributes: AdmissionAttributes, matched: ServedResource, kind = matched): JsonObject {
  const { subresource, namespace, name, operation, context } = attributes
  const requested = requestedResource(attributes)
  const { user, dryRun } = context
  return {
    kind: kindOf(kind, subresource),
    resource: gvr(matched),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(requested, subresource),
    requestResource: gvr(requested),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid ? { uid: user.uid } : {}),
      ...(user.groups.length > 0 ? { groups: user.groups } : {}),
      ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: user.extra } : {})
    },
    dryRun,
    options: operationOptions(attributes)
  }
}

const gvr = ({ resource, version }: ServedResource) => ({ group: resource.group, version, resource: resource.resource })

const hidden = new Set(['managedFields', 'ownerReferences', 'selfLink'])

/** The value of `namespaceObject`: null for cluster-scoped objects and for Namespaces. */
export function namespaceValue({ namespace, resource, context }: AdmissionAttributes): Value {
  if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return null
  const namespaces = context.services.registry.of(refs.namespaces)
  const found = namespaces.get('', namespace)
  if (!found) return null
  const { metadata, spec, status } = namespaces.peek(found)
  const shown = Object.fromEntries(Object.entries(metadata).filter(([field]) => !hidden.has(field)))
  return jsonValue({ metadata: shown, spec, status })
}
