import type { Container, Node, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import { equalJson } from '../../../util/json.js'
import type { BuiltinPlugin } from '../../admission.js'
import { validateNodeResources } from './node-allocatable-devices.js'

const pods = { group: '', resource: 'pods' }

/** Features that a kubelet may declare, each with a test of whether an update needs it; in alphabetical order. */
const features: Readonly<Record<string, (pod: Pod, old: Pod) => boolean>> = {
  InPlacePodLevelResourcesVerticalScaling: (pod, old) => !equalJson(pod.spec.resources, old.spec.resources),
  InPlacePodVerticalScalingInitContainers: (pod, old) =>
    old.spec.initContainers?.some(
      (container, i) => !isSidecar(container) && !equalJson(container.resources, pod.spec.initContainers?.[i]?.resources)
    ) ?? false
}

const isSidecar = (container: Container) => container.restartPolicy === 'Always'

/** Refuses an update of a Pod, or devices, that need a feature which the node does not declare (KEP-5328). */
export const nodeDeclaredFeatureValidator: BuiltinPlugin = {
  name: 'NodeDeclaredFeatureValidator',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods', 'resource.k8s.io/resourceslices'],
  subresources: ['', 'resize'],
  validate(attributes) {
    const { name, object, oldObject, context, operation, resource, subresource } = attributes
    if (!context.services.features.enabled('NodeDeclaredFeatures')) return
    if (resource.groupResource.resource === 'resourceslices') {
      if (subresource === '') validateNodeResources(attributes)
      return
    }
    if (operation === 'CREATE') return
    const pod: Pod = object
    const { nodeName } = pod.spec
    // the generation changes with the spec
    if (!nodeName || pod.metadata.generation === oldObject.metadata.generation) return
    const needed = Object.keys(features).filter(feature => features[feature]!(pod, oldObject))
    if (needed.length === 0) return
    const nodes = context.services.registry.of(refs.nodes)
    const found = nodes.get('', nodeName)
    if (!found) throw forbidden(pods, name, `node ${goQuote(nodeName)} not found`)
    const node: Node = nodes.peek(found)
    const missing = needed.filter(feature => !node.status.declaredFeatures?.includes(feature))
    if (missing.length === 0) return
    const why = `pod update requires features ${missing.join(', ')} which are not available on node ${goQuote(nodeName)}`
    throw forbidden(pods, name, why)
  }
}
