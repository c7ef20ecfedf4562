import type { Pod, Toleration } from '../../../api/generated/core-v1.js'
import type { BuiltinPlugin } from '../../admission.js'

const seconds = 300
const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Makes Pods tolerate a lost node for five minutes, unless they say otherwise. */
export const defaultTolerationSeconds: BuiltinPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  admit({ object }) {
    const { spec }: Pod = object
    const given = spec.tolerations ?? []
    const missing = taints.filter(key => !given.some(toleration => covers(toleration, key)))
    if (missing.length === 0) return
    spec.tolerations = [
      ...given,
      ...missing.map(key => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }))
    ]
  }
}

function covers({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute')
}
