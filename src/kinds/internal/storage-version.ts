import type { ServerStorageVersion, StorageVersion } from '../../api/generated/apiserverinternal-v1alpha1.js'
import { defineKind } from '../../registry/kind.js'
import { commonColumn } from '../columns.js'

const shownServers = 3

export const storageVersion = defineKind<StorageVersion>({
  group: 'internal.apiserver.k8s.io',
  kind: 'StorageVersion',
  resource: 'storageversions',
  namespaced: false,
  versions: [{ name: 'v1alpha1', type: 'apiserverinternal.v1alpha1.StorageVersion', served: false }],
  columns: [
    commonColumn('Name'),
    {
      name: 'CommonEncodingVersion',
      type: 'string',
      description:
        "commonEncodingVersion is set to an encoding storage version if all API server instances share that same version. If they don't share one storage version, this field is left empty. API servers should finish updating its storageVersionStatus entry before serving write operations, so that this field will be in sync with the reality.",
      value: o => o.status.commonEncodingVersion ?? '<unset>'
    },
    {
      name: 'StorageVersions',
      type: 'string',
      description: 'storageVersions lists the reported versions per API server instance.',
      value: o => shownVersions(o.status.storageVersions ?? [])
    },
    commonColumn('Age')
  ],
  status: { metadata: 'reset' },
  prepareForCreate(o) {
    o.status = {}
  }
})

function shownVersions(versions: readonly ServerStorageVersion[]): string {
  const list = versions
    .slice(0, shownServers)
    .map(v => `${v.apiServerID ?? ''}=${v.encodingVersion ?? ''}`)
    .join(',')
  return versions.length > shownServers ? `${list} + ${versions.length - shownServers} more...` : list
}
