import type { FieldTree } from '../../apimachinery/fieldmanager/fields-v1.js'
import { own } from '../../util/json.js'
import { hasOwnStatus, type Operation } from './operation.js'

const whole: FieldTree = {}

/** Returns the fields that a request cannot change and so cannot own, such as status through the resource. */
export function resetFields(operation: Operation): FieldTree | undefined {
  const { resource, subresource } = operation
  const { kind } = resource
  const resets = own(kind.strategy?.resetFields, subresource)
  if (resets) return resets
  if (!kind.subresources?.status) return undefined
  if (subresource === '') return hasOwnStatus(operation) ? { 'f:status': whole } : undefined
  if (subresource !== 'status') {
    const keeps = own(kind.subresources.others, subresource)?.keeps
    return keeps && Object.fromEntries(keeps.map(field => [`f:${field}`, whole]))
  }
  const { status } = kind.subresources
  const metadata = typeof status === 'object' ? status.metadata : 'all'
  if (metadata === 'none' || metadata === 'reset') return { 'f:spec': whole, 'f:metadata': whole }
  return metadata === 'all but labels' ? { 'f:spec': whole, 'f:metadata': { 'f:labels': whole } } : { 'f:spec': whole }
}
