import type { HorizontalPodAutoscaler, HPAScalingRules } from '../../apimachinery/api/generated/autoscaling-v2.js'
import { Path } from '../../apimachinery/validation/field.js'
import { validateNonNegative, validateNonNegatives } from '../../apimachinery/validation/numbers.js'
import { defineKind } from '../../registry/kind.js'
import { annotations } from './hpa-annotations.js'
import { hpaColumns } from './hpa-columns.js'
import { cpuMetric, fromV1, toV1, withAnnotations } from './hpa-conversion.js'
import { validateHpaSpec } from './hpa-validation.js'

export const horizontalPodAutoscaler = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  versions: [
    { name: 'v2', type: 'autoscaling.v2.HorizontalPodAutoscaler' },
    { name: 'v1', type: 'autoscaling.v1.HorizontalPodAutoscaler', toStorage: fromV1, fromStorage: toV1 }
  ],
  storage: { fieldAnnotations: Object.values(annotations) },
  table: { columns: hpaColumns },
  gatedFields: [{ gates: 'HPAConfigurableTolerance', fields: ['spec.behavior.{scaleUp,scaleDown}.tolerance'] }],
  generation: { gate: 'HPAGeneration' },
  strategy: {
    // an autoscaler that already has zero may keep it
    declaredGates: (_, old) => (old?.spec.minReplicas === 0 ? { HPAScaleToZero: true } : {}),
    default(o, { version }) {
      // v2 has fields for these annotations of v1
      o.metadata = withAnnotations(o.metadata, {})
      const { spec } = o
      spec.minReplicas ??= 1
      if (!spec.metrics?.length) spec.metrics = [cpuMetric()]
      if (!spec.behavior) return
      // v1 has no defaults for policies, so that rules without them are refused
      if (version === 'v1') for (const rules of Object.values(spec.behavior) as HPAScalingRules[]) rules.policies ??= []
      spec.behavior = {
        scaleUp: { ...scaleUp(), ...spec.behavior.scaleUp },
        scaleDown: { ...scaleDown(), ...spec.behavior.scaleDown }
      }
    },
    prepareForCreate(o) {
      o.status = { desiredReplicas: 0, currentMetrics: null }
    },
    validateCreate: ({ spec }, errors, { services }) =>
      validateHpaSpec(spec, undefined, Path.of('spec'), errors, services.features.enabled('HPAScaleToZero')),
    validateUpdate: ({ spec }, { spec: old }, errors, { services }) =>
      validateHpaSpec(spec, old, Path.of('spec'), errors, services.features.enabled('HPAScaleToZero'))
  },
  subresources: {
    status: {
      validateUpdate({ status }, _, errors) {
        const at = Path.of('status')
        validateNonNegatives(status, ['currentReplicas', 'desiredReplicas'], at, errors)
        const conditions = at.child('conditions')
        for (const [i, { observedGeneration }] of (status.conditions ?? []).entries())
          validateNonNegative(observedGeneration, conditions.index(i).child('observedGeneration'), errors)
      }
    }
  }
})

/** Returns the default: in 15 seconds up to twice as many Pods or four more, whichever is more. */
const scaleUp = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 }
  ]
})

/** Returns the default. The stabilization window has none here, because a flag of the controller sets it. */
const scaleDown = (): HPAScalingRules => ({ selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] })
