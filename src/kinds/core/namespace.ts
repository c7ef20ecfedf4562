import type { Namespace } from '../../apimachinery/api/generated/core-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { nameIsLabel } from '../../apimachinery/validation/names.js'
import { validateFinalizerName } from '../../apimachinery/validation/object-meta.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'

const finalizer = 'kubernetes'
const nameLabel = 'kubernetes.io/metadata.name'

export const namespace = defineKind<Namespace>({
  group: '',
  kind: 'Namespace',
  resource: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  validateName: nameIsLabel,
  versions: [{ name: 'v1', type: 'core.v1.Namespace' }],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  fieldSelectors: { fields: { 'status.phase': o => o.status.phase ?? '' } },
  table: { columns: builtinColumns('namespaces', { Name: o => o.metadata.name, Status: o => o.status.phase ?? '', Age: age }) },
  strategy: {
    default(o) {
      setNameLabel(o)
      // the default is the first phase
      o.status.phase ||= 'Active'
    },
    prepareForCreate(o) {
      // kube-apiserver gives a generated name its label after it has validated the name, so a wrong one has no wrong label
      const { name } = o.metadata
      if (name && nameIsLabel(name, false).length === 0) setNameLabel(o)
      o.status = { phase: 'Active' }
      const given = o.spec.finalizers ?? []
      o.spec.finalizers = given.includes(finalizer) ? given : [...given, finalizer]
    },
    prepareForUpdate(o, old) {
      if (old.spec.finalizers) o.spec.finalizers = old.spec.finalizers
      else delete o.spec.finalizers
    },
    updateChecks: asNewThenChanges,
    validate({ spec }, errors, { subresource }) {
      // only the subresource's errors have the index
      const path = Path.of('spec', 'finalizers')
      spec.finalizers?.forEach(
        (name, i) => void validateFinalizerName(name, subresource === 'finalize' ? path.index(i) : path, errors)
      )
    }
  },
  deletion: {
    returnsObject: 'undocumented',
    isHeld: o => (o.spec.finalizers?.length ?? 0) > 0,
    prepare(o) {
      o.status.phase = 'Terminating'
    }
  },
  subresources: {
    status: {
      validateUpdate({ metadata, status }, _old, errors) {
        const wanted = metadata.deletionTimestamp ? 'Terminating' : 'Active'
        if (status.phase === wanted) return
        const when = metadata.deletionTimestamp ? 'is not empty' : 'is empty'
        errors.invalid('status.Phase', namedText(status.phase ?? ''), `may only be '${wanted}' if \`deletionTimestamp\` ${when}`)
      }
    },
    others: {
      finalize: {
        kind: { group: '', version: 'v1', kind: 'Namespace' },
        type: 'core.v1.Namespace',
        verbs: ['update'],
        keeps: ['status'],
        updateChecks: ['objectMetaUpdate', 'validate'],
        prepareForUpdate(o, old) {
          o.status = old.status
        }
      }
    }
  }
})

/** Sets the label by which selectors can choose a namespace by its name. */
function setNameLabel({ metadata }: Namespace): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name }
}
