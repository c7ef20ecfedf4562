import type { TopologySelectorTerm } from '../../apimachinery/api/generated/core-v1.js'
import type { StorageClass } from '../../apimachinery/api/generated/storage-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { deprecatedNodeLabel } from '../deprecated-node-labels.js'
import { validateImmutable } from '../immutable.js'
import { validateParameters, validateProvisioner } from './parameters.js'

export const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class'
]
const isDefaultClass = (o: StorageClass) => defaultClassAnnotations.some(a => o.metadata.annotations?.[a] === 'true')

export const storageClass = defineKind<StorageClass>({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  resource: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'storage.v1.StorageClass' }],
  table: {
    columns: builtinColumns<StorageClass>('storage.k8s.io/storageclasses', {
      Name: o => (isDefaultClass(o) ? `${o.metadata.name} (default)` : o.metadata.name),
      Provisioner: o => o.provisioner,
      ReclaimPolicy: o => o.reclaimPolicy ?? 'Delete',
      VolumeBindingMode: o => o.volumeBindingMode ?? 'Immediate',
      AllowVolumeExpansion: o => o.allowVolumeExpansion ?? false,
      Age: age
    })
  },
  strategy: {
    default(o) {
      o.reclaimPolicy ??= 'Delete'
      o.volumeBindingMode ??= 'Immediate'
    },
    updateChecks: asNewThenChanges,
    validate(o, errors) {
      validateProvisioner(o.provisioner, 'provisioner', errors)
      validateParameters(o.parameters, Path.of('parameters'), errors)
      if (o.reclaimPolicy && !reclaimPolicies.includes(o.reclaimPolicy))
        errors.notSupported('reclaimPolicy', o.reclaimPolicy, reclaimPolicies)
      if (!bindingModes.includes(o.volumeBindingMode!))
        errors.notSupported('volumeBindingMode', o.volumeBindingMode, bindingModes)
      validateTopologies(o.allowedTopologies ?? [], errors)
    },
    validateUpdate(o, old, errors) {
      validateImmutable('parameters', given(o, 'parameters'), old.parameters, errors)
      validateImmutable('provisioner', o.provisioner, old.provisioner, errors)
      validateImmutable('reclaimPolicy', o.reclaimPolicy, old.reclaimPolicy, errors)
      validateImmutable('volumeBindingMode', o.volumeBindingMode, old.volumeBindingMode, errors)
    },
    warnings: o => (o.allowedTopologies ?? []).flatMap((term, i) => topologyWarnings(term, Path.of('allowedTopologies').index(i)))
  },
  deletion: { returnsObject: true }
})

const reclaimPolicies = ['Delete', 'Retain']
const bindingModes = ['Immediate', 'WaitForFirstConsumer']

function validateTopologies(terms: readonly TopologySelectorTerm[], errors: FieldErrors): void {
  const root = Path.of('allowedTopologies')
  // kube-apiserver also compares each term with as many empty ones as there are terms
  const seen: Record<string, readonly string[]>[] = terms.map(() => ({}))
  terms.forEach((term, i) => {
    const at = root.index(i)
    const keys = validateTopology(term, at, errors)
    // one error of several that would be equal
    if (seen.some(other => equalJson(other, keys))) errors.duplicate(at.child('matchLabelExpressions'), '')
    seen.push(keys)
  })
}

/** Validates a term. Returns its values by key, sorted: terms with the same values are duplicates. */
function validateTopology(term: TopologySelectorTerm, at: Path, errors: FieldErrors): Record<string, readonly string[]> {
  const keys = new Map<string, string[]>()
  term.matchLabelExpressions?.forEach(({ key, values }, j) => {
    const path = at.child('matchLabelExpressions').index(j)
    const known = new Set<string>()
    if (!values?.length) errors.required(path.child('values'))
    values?.forEach((value, k) => {
      if (known.has(value)) errors.duplicate(path.child('values').index(k), value)
      known.add(value)
    })
    for (const e of isQualifiedName(key)) errors.invalid(path.child('key'), key, e)
    if (keys.has(key)) errors.duplicate(path.child('key'), key)
    keys.set(key, [...known].sort())
  })
  return Object.fromEntries(keys)
}

function topologyWarnings(term: TopologySelectorTerm, path: Path): string[] {
  return (term.matchLabelExpressions ?? []).flatMap(({ key }, i) => {
    const why = deprecatedNodeLabel(key)
    return why ? [`${path.child('matchLabelExpressions').index(i).child('key')}: ${why}`] : []
  })
}
