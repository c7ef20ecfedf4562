import type { Pod, Toleration } from '../../../api/generated/core-v1.js'
import { isExtendedResource } from '../../../kinds/core/resource-names.js'
import type { AdmissionPlugin } from '../../admission.js'
import { isPod } from './pods.js'

/** Makes Pods tolerate the taints of nodes that are reserved for the extended resources that they request. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  handles: operation => operation === 'CREATE' || operation === 'UPDATE',
  admit(attributes) {
    if (!isPod(attributes)) return
    const { spec }: Pod = attributes.object
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
    const names = new Set(containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {})))
    for (const key of [...names].filter(isExtendedResource).sort()) {
      const toleration: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' }
      const given = spec.tolerations ?? []
      const replaced = given.map(other => (isSame(other, toleration) ? toleration : other))
      spec.tolerations = replaced.includes(toleration) ? replaced : [...given, toleration]
    }
  }
}

const isSame = (a: Toleration, b: Toleration): boolean =>
  a.key === b.key && a.operator === b.operator && a.effect === b.effect && (a.value ?? '') === (b.value ?? '')
