import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { Metrics } from '../../util/instruments/metrics.js'

/** Shows which feature gates are on, under kube-apiserver's name. */
export function addFeatureMetrics(metrics: Metrics, features: FeatureGates): void {
  const gauge = metrics.gauge({
    name: 'kubernetes_feature_enabled',
    help: 'Whether a feature gate is on, by its stage.',
    stage: 'BETA',
    labels: ['name', 'stage'],
    // most servers are never asked for metrics
    collect() {
      for (const { name, stage, on } of features.all()) gauge.of(name, stage).set(on ? 1 : 0)
    }
  })
}
