import type { BuiltinPlugin } from '../../admission.js'
import { scopeName } from '../../scope.js'

const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection']
])

/** Storage that is in use is not deleted: controllers take the finalizer away when it is not. */
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
