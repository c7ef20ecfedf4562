/** The options of a request as an object: what expressions and webhooks see as `options`. */
import type { JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'

const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }
const apiVersion = 'meta.k8s.io/v1'

/** Returns null for CONNECT, which has no options. A PATCH has CreateOptions or UpdateOptions, depending on what it does. */
export function operationOptions(attributes: AdmissionAttributes): JsonObject | null {
  const { operation, context } = attributes
  if (operation === 'CONNECT') return null
  const options: JsonObject = { kind: kinds[operation], apiVersion }
  if (operation === 'DELETE') return { ...options, ...deleteOptions(attributes) }
  const { query } = context
  const dryRun = query?.getAll('dryRun')
  if (dryRun?.length) options.dryRun = dryRun
  for (const field of ['fieldManager', 'fieldValidation']) {
    const value = query?.get(field)
    if (value) options[field] = value
  }
  return options
}

function deleteOptions({ resource, oldObject, context }: AdmissionAttributes): JsonObject {
  const given = context.deleteOptions ?? {}
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = given
  const dryRun = context.dryRun ? ['All'] : undefined
  // kube-apiserver makes the UID of the Namespace that it found a precondition
  const isNamespace = resource.group === '' && resource.resource === 'namespaces'
  const preconditions = isNamespace ? { uid: oldObject?.metadata.uid, ...given.preconditions } : given.preconditions
  const all = { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
