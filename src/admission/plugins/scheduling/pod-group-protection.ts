import type { PodGroup } from '../../../apimachinery/api/generated/scheduling-v1beta1.js'
import type { BuiltinPlugin } from '../../admission.js'

const finalizer = 'scheduling.k8s.io/podgroup-protection'

/** Adds the finalizer that keeps a PodGroup while it has Pods. A controller removes it afterwards. */
export const podGroupProtection: BuiltinPlugin = {
  name: 'PodGroupProtection',
  operations: ['CREATE'],
  resources: ['scheduling.k8s.io/podgroups'],
  admit({ object }) {
    const { metadata }: PodGroup = object
    if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
  }
}
