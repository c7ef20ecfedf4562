import type { Namespace, Pod, Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { notFound, plainError } from '../../../apimachinery/status/status.js'
import { qosClass } from '../../../kinds/core/pod/qos.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { readTolerations, type TolerationSettings } from '../../configuration/toleration-configuration.js'
import { areListed, mergeTolerations } from './tolerations.js'

const prefix = 'scheduler.alpha.kubernetes.io/'

const memoryPressure: Toleration = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }

/** Returns the namespace's tolerations; undefined when it has no annotation. An empty annotation means no tolerations. */
function ofNamespace({ namespace, context }: AdmissionAttributes, annotation: string): readonly Toleration[] | undefined {
  const namespaces = context.services.registry.of(refs.namespaces)
  const found = namespaces.get('', namespace)
  if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace)
  const { annotations = {} } = (namespaces.peek(found) as Namespace).metadata
  if (!Object.hasOwn(annotations, prefix + annotation)) return undefined
  const text = annotations[prefix + annotation]!
  return text === '' ? [] : readTolerations(text)
}

/** Gives Pods the tolerations of their namespace, and refuses those that tolerate more than its whitelist allows. */
export function podTolerationRestriction(settings: TolerationSettings): BuiltinPlugin {
  const validate = (attributes: AdmissionAttributes) => {
    const { tolerations = [] }: Pod['spec'] = attributes.object.spec
    if (!tolerations?.length) return
    const own = ofNamespace(attributes, 'tolerationsWhitelist')
    const whitelist = own ?? settings.whitelist
    if (whitelist.length === 0 || areListed(tolerations, whitelist)) return
    const scope = own ? 'namespace' : 'cluster'
    throw plainError(`pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`)
  }
  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    admit(attributes) {
      const { spec }: Pod = attributes.object
      const isNew = attributes.operation === 'CREATE'
      const defaults = isNew ? (ofNamespace(attributes, 'defaultTolerations') ?? settings.defaults) : []
      const more = [...defaults, ...(qosClass(spec) === 'BestEffort' ? [] : [memoryPressure])]
      if (more.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], more)
      validate(attributes)
    },
    validate
  }
}
