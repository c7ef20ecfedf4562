import type { Namespace, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden, internalError } from '../../../apimachinery/status/status.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import type { NodeSelectors } from '../../configuration/node-selector-configuration.js'
import { type LabelMap, labelsOfSelector } from '../../label-map.js'

const annotation = 'scheduler.alpha.kubernetes.io/node-selector'

/** Adds the node selector of a namespace to its Pods, and refuses Pods that contradict it or have labels that the file does not list. */
export function podNodeSelector(settings: NodeSelectors): BuiltinPlugin {
  const configured = (name: string) => (Object.hasOwn(settings, name) ? settings[name]! : '')

  const selectorOf = ({ namespace, context }: AdmissionAttributes): LabelMap => {
    const namespaces = context.services.registry.of(refs.namespaces)
    const found = namespaces.get('', namespace)
    if (!found) throw internalError(`namespace ${namespace} does not exist`)
    const { annotations } = (namespaces.peek(found) as Namespace).metadata
    const own = annotations && Object.hasOwn(annotations, annotation) ? annotations[annotation]! : undefined
    return labelsOfSelector(own ?? configured('clusterDefaultNodeSelector'))
  }

  const refuse = ({ resource, object }: AdmissionAttributes, why: string) =>
    forbidden(resource.groupResource, object.metadata.name ?? '', why)

  const check = (attributes: AdmissionAttributes, selector: LabelMap) => {
    const { spec }: Pod = attributes.object
    const given = Object.entries(spec.nodeSelector ?? {})
    if (given.some(([key, value]) => selector.has(key) && selector.get(key) !== value))
      throw refuse(attributes, 'pod node label selector conflicts with its namespace node label selector')
  }

  const validate = (attributes: AdmissionAttributes) => {
    check(attributes, selectorOf(attributes))
    const whitelist = labelsOfSelector(configured(attributes.namespace))
    const given = Object.entries((attributes.object as Pod).spec.nodeSelector ?? {})
    if (whitelist.size > 0 && given.some(([key, value]) => whitelist.get(key) !== value))
      throw refuse(attributes, 'pod node label selector labels conflict with its namespace whitelist')
  }

  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    resources: ['pods'],
    admit(attributes) {
      const selector = selectorOf(attributes)
      check(attributes, selector)
      const { spec }: Pod = attributes.object
      if (selector.size > 0) spec.nodeSelector = { ...Object.fromEntries(selector), ...spec.nodeSelector }
      validate(attributes)
    },
    validate
  }
}
