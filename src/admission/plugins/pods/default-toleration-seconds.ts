import type { Pod, Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import type { BuiltinPlugin } from '../../admission.js'

/** For how many seconds Pods tolerate a node that is not ready or unreachable. */
export interface LostNodeTolerations {
  readonly notReady: number
  readonly unreachable: number
}

const fiveMinutes: LostNodeTolerations = { notReady: 300, unreachable: 300 }

/** Makes Pods tolerate a lost node for a while, unless they say otherwise. */
export const defaultTolerationSeconds = ({ notReady, unreachable } = fiveMinutes): BuiltinPlugin => ({
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  admit({ object }) {
    const { spec }: Pod = object
    const given = spec.tolerations ?? []
    const taints = [
      { key: 'node.kubernetes.io/not-ready', seconds: notReady },
      { key: 'node.kubernetes.io/unreachable', seconds: unreachable }
    ]
    const missing = taints.filter(({ key }) => !given.some(toleration => covers(toleration, key)))
    spec.tolerations = [
      ...given,
      ...missing.map(({ key, seconds }) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }))
    ]
  }
})

function covers({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute')
}
