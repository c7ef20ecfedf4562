import type { Binding, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** Labels Pods with the zone and region of their node, so that containers can read them (KEP-4742). */
export const podTopologyLabels: BuiltinPlugin = {
  name: 'PodTopologyLabels',
  operations: ['CREATE'],
  resources: ['pods'],
  subresources: ['', 'binding'],
  admit(attributes) {
    const { subresource, object, context } = attributes
    if (!context.services.features.enabled('PodTopologyLabelsAdmission')) return undefined
    if (subresource === '') return copyLabels(attributes, object, (object as Pod).spec.nodeName)
    const { target }: Binding = object
    if (target.kind === 'Node') copyLabels(attributes, object, target.name)
  }
}

function copyLabels({ context }: AdmissionAttributes, object: Pod | Binding, nodeName: string | undefined): void {
  if (!nodeName) return
  const node = context.services.registry.ifServed(refs.nodes)?.get('', nodeName)
  for (const label of topologyLabels)
    if (node && Object.hasOwn(node.labels, label)) (object.metadata.labels ??= {})[label] = node.labels[label]!
}
