import type { Pod, Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import { isExtendedResource } from '../../../kinds/core/resource-names.js'
import type { BuiltinPlugin } from '../../admission.js'

/** Makes Pods tolerate the taints of nodes that are reserved for the extended resources that they request. */
export const extendedResourceToleration: BuiltinPlugin = {
  name: 'ExtendedResourceToleration',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  admit({ object }) {
    const { spec }: Pod = object
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
