import type { ControllerRevision } from '../../apimachinery/api/generated/apps-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { validateNonNegative } from '../../apimachinery/validation/numbers.js'
import { changesAroundAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { exactJson } from '../../util/exact-json.js'
import { isObject } from '../../util/json.js'
import { builtinColumns } from '../columns.js'

export const controllerRevision = defineKind<ControllerRevision>({
  group: 'apps',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  namespaced: true,
  versions: [{ name: 'v1', type: 'apps.v1.ControllerRevision' }],
  table: {
    columns: builtinColumns<ControllerRevision>('apps/controllerrevisions', {
      Controller: controllerName,
      Revision: o => o.revision
    })
  },
  strategy: {
    updateChecks: changesAroundAsNew,
    validate: (o, errors) => void validateNonNegative(o.revision, Path.of('revision'), errors),
    validateCreate({ data }, errors) {
      if (data === undefined || data === null) errors.required('data', 'data is mandatory')
      else if (!isObject(data)) errors.required('data', 'data must be a valid JSON object')
    },
    validateUpdate(o, old, errors) {
      // kube-apiserver compares the text, so the order of keys counts
      if (exactJson(o.data ?? null) !== exactJson(old.data ?? null)) errors.invalid('data', o.data ?? null, 'field is immutable')
    }
  }
})

/** Formats the controlling owner: "statefulset.apps/web", or "<none>". */
function controllerName({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find(reference => reference.controller)
  if (!owner) return '<none>'
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : ['']
  return `${[owner.kind, group].filter(Boolean).join('.').toLowerCase()}/${owner.name}`
}
