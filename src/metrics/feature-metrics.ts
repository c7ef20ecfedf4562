import type { FeatureGates } from '../features/feature-gates.js'
import type { LazyMetrics } from './lazy-metrics.js'

/** Shows which feature gates are on, under kube-apiserver's name. */
export function addFeatureMetrics(metrics: LazyMetrics, features: FeatureGates): void {
  metrics.add(({ Gauge }, registry) => {
    const gauge = new Gauge({
      name: 'kubernetes_feature_enabled',
      help: 'Whether a feature gate is on, by its stage.',
      labelNames: ['name', 'stage'],
      registers: [registry]
    })
    for (const { name, stage, on } of features.all()) gauge.set({ name, stage }, on ? 1 : 0)
  })
}
