/** The options of a request as an object: what expressions and webhooks see as `options`. */
import type { JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'

const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }
const apiVersion = 'meta.k8s.io/v1'

/** null for what has none. A PATCH has those of what it turns out to be. */
export function operationOptions(attributes: AdmissionAttributes): JsonObject | null {
  const { operation, context } = attributes
  if (operation === 'CONNECT') return null
  const options: JsonObject = { kind: kinds[operation], apiVersion }
  if (operation === 'DELETE') return { ...options, ...uidPrecondition(attributes), ...deleteOptions(context.deleteOptions) }
  const { query } = context
  const dryRun = query?.getAll('dryRun')
  if (dryRun?.length) options.dryRun = dryRun
  for (const field of ['fieldManager', 'fieldValidation']) {
    const value = query?.get(field)
    if (value) options[field] = value
  }
  return options
}

/** What ends in stages is meant as it is now. */
const uidPrecondition = ({ resource, oldObject }: AdmissionAttributes) =>
  resource.kind.isHeld ? { preconditions: { uid: oldObject.metadata.uid } } : undefined

function deleteOptions(given: AdmissionAttributes['context']['deleteOptions']): JsonObject {
  if (!given) return {}
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = given
  const dryRun = (given as { dryRun?: boolean }).dryRun === true ? ['All'] : undefined
  const all = { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
