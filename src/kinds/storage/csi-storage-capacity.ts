import type { CSIStorageCapacity } from '../../apimachinery/api/generated/storage-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateLabelSelector } from '../../apimachinery/validation/label-selector.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { nanoValue, parseQuantity } from '../../util/quantity.js'
import { nodeSelectorWarnings } from '../deprecated-node-labels.js'
import { validateImmutable } from '../immutable.js'

export const csiStorageCapacity = defineKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  resource: 'csistoragecapacities',
  namespaced: true,
  versions: [{ name: 'v1', type: 'storage.v1.CSIStorageCapacity' }],
  strategy: {
    allowUnconditionalUpdate: false,
    updateChecks: asNewThenChanges,
    validate(o, errors) {
      validateLabelSelector(o.nodeTopology, Path.of('nodeTopology'), errors)
      for (const e of isDns1123Subdomain(o.storageClassName)) errors.invalid('storageClassName', o.storageClassName, e)
      validateNotNegative(o.capacity, 'capacity', errors)
    },
    validateUpdate(o, old, errors) {
      // an empty selector, which matches everything, differs from none
      if (!equalJson(o.nodeTopology, old.nodeTopology))
        errors.invalid('nodeTopology', o.nodeTopology ?? null, 'field is immutable')
      validateImmutable('storageClassName', o.storageClassName, old.storageClassName, errors)
    },
    warnings: o => nodeSelectorWarnings(o.nodeTopology, Path.of('nodeTopology'))
  }
})

function validateNotNegative(quantity: string | undefined, path: string, errors: FieldErrors): void {
  if (quantity !== undefined && nanoValue(parseQuantity(quantity)) < 0n)
    errors.invalid(path, quantity, 'must be greater than or equal to 0')
}
