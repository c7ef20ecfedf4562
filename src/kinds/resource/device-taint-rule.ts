import type { DeviceTaintRule } from '../../apimachinery/api/generated/resource-v1.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { Path } from '../../apimachinery/validation/field.js'
import { isDns1123Label } from '../../apimachinery/validation/names.js'
import { defineKind } from '../../registry/kind.js'
import { timestamp } from '../../util/time.js'
import { builtinColumns } from '../columns.js'
import { validateDriverName } from '../storage/driver-name.js'
import { validatePoolName } from './claim-status.js'
import { validateTaint } from './device.js'

const maxConditions = 8

export const deviceTaintRule = defineKind<DeviceTaintRule>({
  group: 'resource.k8s.io',
  kind: 'DeviceTaintRule',
  resource: 'devicetaintrules',
  namespaced: false,
  versions: [
    { name: 'v1', type: 'resource.v1.DeviceTaintRule' },
    {
      name: 'v1beta2',
      type: 'resource.v1beta2.DeviceTaintRule',
      served: false,
      deprecation: 'resource.k8s.io/v1beta2 DeviceTaintRule is deprecated in v1.39+, unavailable in v1.42+'
    },
    {
      name: 'v1alpha3',
      type: 'resource.v1alpha3.DeviceTaintRule',
      served: false,
      deprecation: 'resource.k8s.io/v1alpha3 DeviceTaintRule is deprecated in v1.36+, unavailable in v1.39+'
    }
  ],
  table: {
    columns: builtinColumns<DeviceTaintRule>('resource.k8s.io/devicetaintrules', {
      Key: o => o.spec.taint.key,
      Value: o => o.spec.taint.value,
      Effect: o => o.spec.taint.effect,
      TimeAdded: (o, context) => (o.spec.taint.timeAdded ? context.since(o.spec.taint.timeAdded) : '')
    })
  },
  generation: true,
  strategy: {
    allowUnconditionalUpdate: version => version !== 'v1',
    default(o, { now }) {
      o.spec.taint.timeAdded ??= timestamp(now)
    },
    prepareForCreate(o) {
      o.status = {}
    },
    validate({ spec }, errors) {
      const at = Path.of('spec')
      const { driver, pool, device } = spec.deviceSelector ?? {}
      if (driver !== undefined) validateDriverName(driver, at.child('deviceSelector', 'driver'), errors)
      if (pool !== undefined) validatePoolName(pool, at.child('deviceSelector', 'pool'), errors)
      if (device !== undefined)
        for (const e of isDns1123Label(device)) errors.invalid(at.child('deviceSelector', 'device'), device, e)
      validateTaint(spec.taint, at.child('taint'), errors)
    }
  },
  subresources: {
    status: {
      columns: false,
      metadata: 'reset',
      validateUpdate({ status }, _, errors) {
        const at = Path.of('status', 'conditions')
        const conditions = status?.conditions ?? []
        validateConditions(conditions, at, errors)
        if (conditions.length > maxConditions) errors.tooMany(at, conditions.length, maxConditions)
      }
    }
  }
})
