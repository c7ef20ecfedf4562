import type { DeviceClass } from '../../apimachinery/api/generated/resource-v1.js'
import { Path } from '../../apimachinery/validation/field.js'
import { madeNameIsSubdomain } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateSelectors } from './device-selector.js'
import { validateList } from './lists.js'
import { validateOpaque } from './opaque-configuration.js'

const maxConfigurations = 32

export const deviceClass = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  resource: 'deviceclasses',
  namespaced: false,
  validateName: madeNameIsSubdomain,
  versions: [
    { name: 'v1', type: 'resource.v1.DeviceClass' },
    {
      name: 'v1beta2',
      type: 'resource.v1beta2.DeviceClass',
      served: false,
      deprecation: 'resource.k8s.io/v1beta2 DeviceClass is deprecated in v1.36+, unavailable in v1.39+'
    },
    {
      name: 'v1beta1',
      type: 'resource.v1beta1.DeviceClass',
      served: false,
      deprecation: 'resource.k8s.io/v1beta1 DeviceClass is deprecated in v1.35+, unavailable in v1.38+'
    }
  ],
  table: { columns: builtinColumns<DeviceClass>('resource.k8s.io/deviceclasses', {}) },
  generation: true,
  gatedFields: [{ gates: 'DRAExtendedResource', fields: ['spec.extendedResourceName'] }],
  strategy: {
    updateChecks: ['objectMeta', 'objectMetaUpdate', 'validate'],
    validate({ spec }, errors, _context, old) {
      const at = Path.of('spec')
      // what is stored was valid
      if (!equalJson(spec.selectors ?? [], old?.spec.selectors ?? []))
        validateSelectors(spec.selectors, at.child('selectors'), errors)
      validateList(spec.config, maxConfigurations, at.child('config'), errors, ({ opaque }, path) =>
        validateOpaque(opaque, path, errors)
      )
    }
  },
  deletion: { returnsObject: true }
})
