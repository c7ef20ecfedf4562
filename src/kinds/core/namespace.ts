import type { Namespace } from '../../api/generated/core-v1.js'
import { age } from '../../formats/table.js'
import { defineKind } from '../../registry/kind.js'
import { nameIsLabel } from '../../validation/names.js'
import { builtinColumns } from '../columns.js'

const finalizer = 'kubernetes'
const nameLabel = 'kubernetes.io/metadata.name'

export const namespace = defineKind<Namespace>({
  group: '',
  kind: 'Namespace',
  resource: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'core.v1.Namespace' }],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  validateName: nameIsLabel,
  selectableFields: { 'status.phase': o => o.status.phase ?? '' },
  columns: builtinColumns('namespaces', { Name: o => o.metadata.name, Status: o => o.status.phase ?? '', Age: age }),
  status: { metadata: 'all' },
  default(o) {
    if (o.metadata.name) o.metadata.labels = { ...o.metadata.labels, [nameLabel]: o.metadata.name }
  },
  prepareForCreate(o) {
    o.metadata.labels = { ...o.metadata.labels, [nameLabel]: o.metadata.name! }
    o.status = { phase: 'Active' }
    const others = (o.spec.finalizers ?? []).filter(f => f !== finalizer)
    o.spec.finalizers = [...others, finalizer]
  },
  prepareForUpdate(o, old) {
    if (old.spec.finalizers) o.spec.finalizers = old.spec.finalizers
    else delete o.spec.finalizers
  },
  isHeld: o => (o.spec.finalizers?.length ?? 0) > 0,
  prepareForDelete(o) {
    o.status.phase = 'Terminating'
  },
  subresources: {
    finalize: {
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      type: 'core.v1.Namespace',
      verbs: ['update'],
      prepareForUpdate(o, old) {
        o.status = old.status
      }
    }
  }
})
