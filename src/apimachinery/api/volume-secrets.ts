import type { PersistentVolume } from './generated/core-v1.js'

interface SecretReference {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/**
 * Returns the secrets that a node needs to mount a volume. For most volumes, a secret without a namespace is in that of the
 * claim.
 */
export function nodeSecrets({ spec }: PersistentVolume): SecretReference[] {
  const claim = spec.claimRef?.namespace ?? ''
  const { azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = spec
  const besideClaim = [cephfs, flexVolume, rbd, scaleIO, iscsi].map(source => source?.secretRef)
  return [
    ...(azureFile ? [{ namespace: azureFile.secretNamespace || claim, name: azureFile.secretName }] : []),
    ...besideClaim.flatMap(ref => (ref ? [{ namespace: ref.namespace || claim, name: ref.name }] : [])),
    ...[cinder?.secretRef, storageos?.secretRef].flatMap(ref => ref ?? []),
    ...[csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef].flatMap(ref => ref ?? [])
  ].filter(({ name }) => name)
}
