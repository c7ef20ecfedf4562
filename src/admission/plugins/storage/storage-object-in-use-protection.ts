import type { AdmissionPlugin } from '../../admission.js'

const finalizers: ReadonlyMap<string, string> = new Map([
  ['/persistentvolumes', 'kubernetes.io/pv-protection'],
  ['/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection']
])

/** Storage that is in use is not deleted: controllers take the finalizer away when it is not. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: operation => operation === 'CREATE',
  admit({ resource, subresource, object }) {
    const finalizer = subresource === '' ? finalizers.get(`${resource.group}/${resource.resource}`) : undefined
    if (!finalizer || object.metadata.finalizers?.includes(finalizer)) return
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer]
  }
}
