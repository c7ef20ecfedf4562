import type { VolumeAttributesClass } from '../../api/generated/storage-v1.js'
import { defineKind } from '../../registry/kind.js'
import { Path } from '../../validation/field.js'
import { commonColumn } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { validateDriverName } from './driver-name.js'
import { validateParameters } from './parameters.js'

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
      deprecation: 'storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+'
    }
  ],
  columns: [
    commonColumn('Name'),
    {
      name: 'DriverName',
      type: 'string',
      description: 'Name of the CSI driver This field is immutable.',
      value: o => o.driverName
    },
    commonColumn('Age')
  ],
  returnsDeletedObject: true,
  allowUnconditionalUpdate: false,
  revalidatesMetadata: true,
  validate(o, errors) {
    validateDriverName(o.driverName, 'driverName', errors)
    if (Object.keys(o.parameters ?? {}).length === 0) errors.required('parameters', 'must contain at least one key/value pair')
    validateParameters(o.parameters, Path.of('parameters'), errors)
  },
  validateUpdate(o, old, errors) {
    validateImmutable('driverName', o.driverName, old.driverName, errors)
    validateImmutable('parameters', o.parameters, old.parameters, errors)
  }
})
