import type { CSIStorageCapacity } from '../../api/generated/storage-v1.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { nanoValue, parseQuantity } from '../../util/quantity.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { validateLabelSelector } from '../../validation/label-selector.js'
import { isDns1123Subdomain } from '../../validation/names.js'
import { commonColumn } from '../columns.js'
import { nodeSelectorWarnings } from '../deprecated-node-labels.js'
import { validateImmutable } from '../immutable.js'

export const csiStorageCapacity = defineKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  resource: 'csistoragecapacities',
  namespaced: true,
  versions: [{ name: 'v1', type: 'storage.v1.CSIStorageCapacity' }],
  columns: [
    commonColumn('Name'),
    {
      name: 'StorageClassName',
      type: 'string',
      description:
        'storageClassName represents the name of the StorageClass that the reported capacity applies to. It must meet the same requirements as the name of a StorageClass object (non-empty, DNS subdomain). If that object no longer exists, the CSIStorageCapacity object is obsolete and should be removed by its creator. This field is immutable.',
      value: o => o.storageClassName
    },
    {
      name: 'Capacity',
      type: 'string',
      description:
        'capacity is the value reported by the CSI driver in its GetCapacityResponse for a GetCapacityRequest with topology and parameters that match the previous fields.\n\nThe semantic is currently (CSI spec 1.2) defined as: The available capacity, in bytes, of the storage that can be used to provision volumes. If not set, that information is currently unavailable.',
      value: o => o.capacity ?? '<unset>'
    },
    commonColumn('Age')
  ],
  allowUnconditionalUpdate: false,
  revalidatesMetadata: true,
  updateRulesLast: true,
  validate(o, errors) {
    validateLabelSelector(o.nodeTopology, Path.of('nodeTopology'), errors)
    for (const e of isDns1123Subdomain(o.storageClassName)) errors.invalid('storageClassName', o.storageClassName, e)
    validateNotNegative(o.capacity, 'capacity', errors)
  },
  validateUpdate(o, old, errors) {
    // a selector of everything is another one than none
    if (!equalJson(o.nodeTopology, old.nodeTopology)) errors.invalid('nodeTopology', o.nodeTopology ?? null, 'field is immutable')
    validateImmutable('storageClassName', o.storageClassName, old.storageClassName, errors)
  },
  warnings: o => nodeSelectorWarnings(o.nodeTopology, Path.of('nodeTopology'))
})

function validateNotNegative(quantity: string | undefined, path: string, errors: FieldErrors): void {
  if (quantity !== undefined && nanoValue(parseQuantity(quantity)) < 0n)
    errors.invalid(path, quantity, 'must be greater than or equal to 0')
}
