import type { Volume } from '../../../apimachinery/api/generated/core-v1.js'
import { defaultPullPolicy } from '../container/image-name.js'

/** The mode of files in volumes that are made of objects: -rw-r--r--. */
const fileMode = 0o644

export function defaultVolume(volume: Volume): void {
  if (Object.keys(volume).length === (volume.name === undefined ? 0 : 1)) volume.emptyDir = {}
  const { secret, configMap, downwardAPI, projected, hostPath, iscsi, rbd, azureDisk, scaleIO, ephemeral, image } = volume
  if (hostPath) hostPath.type ??= ''
  if (secret) secret.defaultMode ??= fileMode
  if (configMap) configMap.defaultMode ??= fileMode
  if (downwardAPI) downwardAPI.defaultMode ??= fileMode
  for (const item of downwardAPI?.items ?? []) if (item.fieldRef) item.fieldRef.apiVersion ??= 'v1'
  if (projected) {
    projected.defaultMode ??= fileMode
    for (const source of projected.sources ?? []) {
      if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600
      for (const item of source.downwardAPI?.items ?? []) if (item.fieldRef) item.fieldRef.apiVersion ??= 'v1'
    }
  }
  if (iscsi) defaultIscsi(iscsi)
  if (rbd) defaultRbd(rbd)
  if (azureDisk) defaultAzureDisk(azureDisk)
  if (scaleIO) defaultScaleIO(scaleIO)
  if (ephemeral?.volumeClaimTemplate) ephemeral.volumeClaimTemplate.spec.volumeMode ??= 'Filesystem'
  if (image) image.pullPolicy ??= defaultPullPolicy(image.reference ?? '')
}

export function defaultIscsi(source: { iscsiInterface?: string | undefined }): void {
  source.iscsiInterface ||= 'default'
}

export function defaultRbd(source: { pool?: string | undefined; user?: string | undefined; keyring?: string | undefined }): void {
  source.pool ||= 'rbd'
  source.user ||= 'admin'
  source.keyring ||= '/etc/ceph/keyring'
}

export function defaultAzureDisk(source: {
  cachingMode?: string | undefined
  kind?: string | undefined
  fsType?: string | undefined
  readOnly?: boolean | undefined
}): void {
  source.cachingMode ??= 'ReadWrite'
  source.kind ??= 'Shared'
  source.fsType ??= 'ext4'
  source.readOnly ??= false
}

export function defaultScaleIO(source: { storageMode?: string | undefined; fsType?: string | undefined }): void {
  source.storageMode ||= 'ThinProvisioned'
  source.fsType ||= 'xfs'
}
