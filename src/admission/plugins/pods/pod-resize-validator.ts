import type { Node, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { podResourcesWithOverhead } from '../../../kinds/core/pod/resources.js'
import { goQuote } from '../../../util/go-format.js'
import { compareQuantities, integerValue, milliValue, parseQuantity, type Quantity } from '../../../util/quantity.js'
import type { BuiltinPlugin } from '../../admission.js'

const pods = { group: '', resource: 'pods' }
const osLabel = 'kubernetes.io/os'

/** Refuses to resize a Pod beyond the allocatable resources of its node (KEP-1287). */
export const podResizeValidator: BuiltinPlugin = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  resources: ['pods'],
  subresources: ['resize'],
  validate({ name, object, oldObject, context }) {
    const pod: Pod = object
    const { nodeName } = pod.spec
    if (!nodeName || pod.metadata.generation === oldObject.metadata.generation) return
    const nodes = context.services.registry.of(refs.nodes)
    const found = nodes.get('', nodeName)
    if (!found) throw forbidden(pods, name, `node ${goQuote(nodeName)} not found`)
    const node: Node = nodes.peek(found)
    const os = node.metadata.labels?.[osLabel]
    if (os !== undefined && os !== 'linux')
      throw forbidden(pods, name, `pod resize is only supported on linux nodes, node ${goQuote(nodeName)} is ${goQuote(os)}`, [
        { reason: 'UnsupportedPlatform' }
      ])
    const lacking = beyond(pod, node)
    if (lacking.length > 0)
      throw forbidden(pods, name, `node didn't have enough allocatable resources: ${lacking.join('; ')}`, [
        { reason: 'NodeCapacity' }
      ])
  }
}

const units: readonly (readonly [name: string, shown: (quantity: Quantity) => bigint])[] = [
  ['cpu', milliValue],
  ['memory', integerValue]
]

function beyond(pod: Pod, { status }: Node): string[] {
  const requests = podResourcesWithOverhead(pod, 'requests')
  return units.flatMap(([name, shown]) => {
    const [requested, allocatable] = [requests[name] ?? '0', status.allocatable?.[name] ?? '0']
    if (compareQuantities(requested, allocatable) <= 0) return []
    return `${name}, requested: ${shown(parseQuantity(requested))}, allocatable: ${shown(parseQuantity(allocatable))}`
  })
}
