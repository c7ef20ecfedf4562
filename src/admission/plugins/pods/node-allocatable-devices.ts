/** Devices that take resources of their node, cpu and memory, need nodes that account for it (KEP-5517). */
import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm
} from '../../../apimachinery/api/generated/core-v1.js'
import type { Device, ResourceSlice, ResourceSliceSpec } from '../../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { selectorOf } from '../../../apimachinery/selectors/labels.js'
import { forbidden, type StatusError } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import type { AdmissionAttributes } from '../../admission.js'

const feature = 'DRANodeAllocatableResources'

/** Refuses a ResourceSlice with such devices on nodes that do not declare the feature. */
export function validateNodeResources({ object, name, resource, context }: AdmissionAttributes): void {
  const { features, registry } = context.services
  if (!features.enabled(feature)) return
  const refuse = (why: string): StatusError => forbidden(resource.groupResource, name, why)
  const nodes = registry.of(refs.nodes)
  const check = (node: Node) => {
    if (!node.status.declaredFeatures?.includes(feature))
      throw refuse(`node ${goQuote(node.metadata.name!)} does not support ${feature} feature`)
  }
  const { spec } = object as KubeObject as ResourceSlice
  for (const device of spec.devices ?? []) {
    if (Object.keys(device.nodeAllocatableResources ?? {}).length === 0) continue
    const { nodeName, nodeSelector, allNodes } = placeOf(device, spec)
    if (nodeName) {
      const found = nodes.get('', nodeName)
      if (!found) throw refuse(`node ${goQuote(nodeName)} not found for device ${goQuote(device.name)}`)
      check(nodes.peek(found))
    } else if (nodeSelector || allNodes) {
      const matches = nodeSelector ? nodeMatcher(nodeSelector) : () => true
      for (const node of nodes.list()) if (matches(node)) check(node)
    } else
      throw refuse(`device ${goQuote(device.name)} in ResourceSlice has NodeAllocatableResources but does not map to any nodes`)
  }
}

const placeOf = (device: Device, spec: ResourceSliceSpec): Pick<Device, 'nodeName' | 'nodeSelector' | 'allNodes'> =>
  spec.perDeviceNodeSelection ? device : spec

const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!', Gt: '>', Lt: '<' } as const

/** Returns whether one of the terms of a selector selects a node. An empty term selects none. */
function nodeMatcher({ nodeSelectorTerms }: NodeSelector): (node: Node) => boolean {
  const terms = (nodeSelectorTerms ?? []).map(termMatcher)
  return node => terms.some(matches => matches(node))
}

function termMatcher({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): (node: Node) => boolean {
  if (matchExpressions.length + matchFields.length === 0) return () => false
  const labels = matcherOf(matchExpressions)
  const fields = matcherOf(matchFields)
  return ({ metadata }) => labels(metadata.labels ?? {}) && fields({ 'metadata.name': metadata.name! })
}

function matcherOf(requirements: readonly NodeSelectorRequirement[]): (values: Readonly<Record<string, string>>) => boolean {
  const known = requirements.flatMap(({ key, operator, values }) =>
    Object.hasOwn(operators, operator)
      ? [{ key, operator: operators[operator as keyof typeof operators], values: values ?? [] }]
      : []
  )
  return selectorOf(known)?.matches ?? (() => true)
}
