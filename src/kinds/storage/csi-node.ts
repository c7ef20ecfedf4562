import type { CSINode, CSINodeDriver } from '../../apimachinery/api/generated/storage-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateDriverName } from './driver-name.js'
import { validateStorageHealth } from './storage-health.js'

const maxNodeIdLength = 256

export const csiNode = defineKind<CSINode>({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  resource: 'csinodes',
  namespaced: false,
  versions: [{ name: 'v1', type: 'storage.v1.CSINode' }],
  table: {
    columns: builtinColumns<CSINode>('storage.k8s.io/csinodes', {
      Name: o => o.metadata.name,
      Drivers: o => o.spec.drivers?.length ?? 0,
      Age: age
    })
  },
  gatedFields: [{ gates: 'CSIVolumeHealth', fields: ['status.storageHealth'] }],
  strategy: {
    allowUnconditionalUpdate: false,
    prepareForCreate(o) {
      o.status = {}
    },
    updateChecks: asNewThenOwnChanges,
    validate({ spec }, errors) {
      validateDrivers(spec.drivers ?? [], errors)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      const at = Path.of('spec', 'drivers')
      const drivers = new Map(spec.drivers?.map(driver => [driver.name, driver]))
      for (const before of old.drivers ?? []) {
        const now = drivers.get(before.name)
        if (!now) continue
        const { allocatable: _, ...fixed } = now
        const { allocatable: __, ...was } = before
        if (!equalJson(fixed, was)) errors.invalid(at, internalText('storage.v1.CSINodeDriver', fixed), 'field is immutable')
      }
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      metadata: 'reset',
      validateUpdate: ({ status }, _old, errors) => validateStorageHealth(status.storageHealth ?? [], errors)
    }
  }
})

function validateDrivers(drivers: readonly CSINodeDriver[], errors: FieldErrors): void {
  const names = new Set<string>()
  drivers.forEach((driver, i) => {
    const at = Path.of('spec', 'drivers').index(i)
    validateDriverName(driver.name, at.child('name'), errors)
    if (driver.nodeID === '') errors.required(at.child('nodeID'), driver.nodeID)
    else if (Buffer.byteLength(driver.nodeID) > maxNodeIdLength)
      errors.invalid(at.child('nodeID'), driver.nodeID, `must be ${maxNodeIdLength} characters or less`)
    const { count } = driver.allocatable ?? {}
    if (count !== undefined && count < 0)
      errors.invalid(at.child('allocatable', 'count'), count, 'must be greater than or equal to 0')
    if (names.has(driver.name)) errors.duplicate(at.child('name'), driver.name)
    names.add(driver.name)
    validateTopologyKeys(driver.topologyKeys ?? [], at, errors)
  })
}

function validateTopologyKeys(keys: readonly string[], path: Path, errors: FieldErrors): void {
  const known = new Set<string>()
  for (const key of keys) {
    if (key === '') errors.required(path)
    if (known.has(key)) errors.duplicate(path, key)
    known.add(key)
    for (const e of isQualifiedName(key)) errors.invalid(path, key, e)
  }
}
