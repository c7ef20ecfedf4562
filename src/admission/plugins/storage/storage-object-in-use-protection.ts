import type { BuiltinPlugin } from '../../admission.js'
import { scopeName } from '../../scope.js'

const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection']
])

/** Adds finalizers that keep storage while it is in use. Controllers remove them afterwards. */
export const storageObjectInUseProtection: BuiltinPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  resources: [...finalizers.keys()],
  admit({ resource, object }) {
    const finalizer = finalizers.get(scopeName(resource))!
    if (object.metadata.finalizers?.includes(finalizer)) return
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer]
  }
}
