import type { ServerStorageVersion, StorageVersion } from '../../apimachinery/api/generated/apiserverinternal-v1alpha1.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { storageVersionNameErrors, validateStorageVersionStatus } from './storage-version-validation.js'

const shownServers = 3

export const storageVersion = defineKind<StorageVersion>({
  group: 'internal.apiserver.k8s.io',
  kind: 'StorageVersion',
  resource: 'storageversions',
  namespaced: false,
  validateName: storageVersionNameErrors,
  versions: [{ name: 'v1alpha1', type: 'apiserverinternal.v1alpha1.StorageVersion', served: false }],
  table: {
    columns: builtinColumns<StorageVersion>('internal.apiserver.k8s.io/storageversions', {
      CommonEncodingVersion: o => o.status.commonEncodingVersion ?? '<unset>',
      StorageVersions: o => shownVersions(o.status.storageVersions ?? [])
    })
  },
  strategy: {
    allowUnconditionalUpdate: false,
    // the generic code alone validates the metadata of an update
    updateChecks: ['validateUpdate'],
    prepareForCreate(o) {
      o.status = {}
    }
  },
  subresources: {
    status: {
      metadata: 'reset',
      updateChecks: ['validateUpdate'],
      validateUpdate: ({ status }, _, errors) => validateStorageVersionStatus(status, errors)
    }
  }
})

function shownVersions(versions: readonly ServerStorageVersion[]): string {
  const list = versions
    .slice(0, shownServers)
    .map(v => `${v.apiServerID ?? ''}=${v.encodingVersion ?? ''}`)
    .join(',')
  return versions.length > shownServers ? `${list} + ${versions.length - shownServers} more...` : list
}
