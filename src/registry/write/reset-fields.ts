import type { FieldTree } from '../../fieldmanager/fields-v1.js'
import { own } from '../../util/json.js'
import type { Operation } from './operation.js'

const whole: FieldTree = {}

/**
 * What a request cannot change, whatever it sends, and so cannot own: status through the main resource, everything but
 * status through its subresource.
 */
export function resetFields({ resource: { kind }, subresource }: Operation): FieldTree | undefined {
  if (kind.resets?.[subresource]) return kind.resets[subresource]
  if (!kind.status) return undefined
  if (subresource === '') return { 'f:status': whole }
  if (subresource !== 'status') {
    const keeps = own(kind.subresources, subresource)?.keeps
    return keeps && Object.fromEntries(keeps.map(field => [`f:${field}`, whole]))
  }
  const metadata = typeof kind.status === 'object' ? kind.status.metadata : 'all'
  if (metadata === 'none' || metadata === 'reset') return { 'f:spec': whole, 'f:metadata': whole }
  return metadata === 'all but labels' ? { 'f:spec': whole, 'f:metadata': { 'f:labels': whole } } : { 'f:spec': whole }
}
