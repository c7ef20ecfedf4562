import type { AdmissionPlugin } from '../../admission.js'

const finalizers: ReadonlyMap<string, string> = new Map([
  ['/persistentvolumes', 'kubernetes.io/pv-protection'],
  ['/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection']
])

/** Adds finalizers that keep storage while it is in use. Controllers remove them afterwards. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: operation => operation === 'CREATE',
  admit({ resource, subresource, object }) {
    const finalizer = subresource === '' ? finalizers.get(`${resource.group}/${resource.resource}`) : undefined
    if (!finalizer || object.metadata.finalizers?.includes(finalizer)) return
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer]
  }
}
