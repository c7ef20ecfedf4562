/** Who deletes the volume behind a PersistentVolume, and whether it can be deleted. */
import type { PersistentVolume } from '../../apimachinery/api/generated/core-v1.js'
import { annotations } from './claims.js'

/** `others`: whoever has provisioned the volume. */
export type Deletion = 'possible' | 'others' | { readonly error: string }

/** kube-controller-manager itself deletes no more than directories below /tmp. */
export function deletionOf({ metadata, spec }: PersistentVolume): Deletion {
  const provisioner = metadata.annotations?.[annotations.provisionedBy]
  if (provisioner && !provisioner.startsWith('kubernetes.io/')) return 'others'
  if (spec.csi) return 'others'
  if (!spec.hostPath) {
    const error = `error getting deleter volume plugin for volume "${metadata.name}": no deletable volume plugin matched`
    return { error }
  }
  const { path } = spec.hostPath
  return /^\/tmp\/.+/.test(path) ? 'possible' : { error: `host_path deleter only supports /tmp/.+ but received provided ${path}` }
}
