import type { VolumeAttributesClass } from '../../apimachinery/api/generated/storage-v1.js'
import { given } from '../../apimachinery/schema/given.js'
import { Path } from '../../apimachinery/validation/field.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateParameters, validateProvisioner } from './parameters.js'

export const volumeAttributesClass = defineKind<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  resource: 'volumeattributesclasses',
  shortNames: ['vac'],
  namespaced: false,
  versions: [
    { name: 'v1', type: 'storage.v1.VolumeAttributesClass' },
    {
      name: 'v1beta1',
      type: 'storage.v1beta1.VolumeAttributesClass',
      served: false,
      deprecation:
        'storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass'
    }
  ],
  table: {
    columns: builtinColumns<VolumeAttributesClass>('storage.k8s.io/volumeattributesclasses', {
      DriverName: o => o.driverName
    })
  },
  strategy: {
    updateChecks: changesThenAsNew,
    validate(o, errors) {
      validateProvisioner(o.driverName, 'driverName', errors)
      validateParameters(o.parameters, Path.of('parameters'), errors)
      if (Object.keys(o.parameters ?? {}).length === 0) errors.required('parameters', 'must contain at least one key/value pair')
    },
    validateUpdate(o, old, errors) {
      if (o.driverName !== old.driverName) errors.forbidden('driverName', 'updates to driverName are forbidden.')
      if (!equalJson(given(o, 'parameters'), old.parameters))
        errors.forbidden('parameters', 'updates to parameters are forbidden.')
    }
  },
  deletion: { returnsObject: true }
})
