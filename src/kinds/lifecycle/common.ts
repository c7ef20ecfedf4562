/** What Evictions and EvictionRequests have in common. */
import type { EvictionRequestTarget } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import { nameIsSubdomain } from '../../apimachinery/validation/names.js'

export const head = {
  group: 'lifecycle.k8s.io',
  namespaced: true,
  featureGate: 'EvictionRequestAPI',
  // a generateName is not validated by itself
  validateName: (name: string, prefix: boolean): string[] => (prefix ? [] : nameIsSubdomain(name, false)),
  generation: true
} as const

export const strategy = {
  allowUnconditionalUpdate: false,
  prepareForCreate(o: { status: object }): void {
    o.status = {}
  }
}

export const targetCells = {
  Target: (o: { spec: { target: EvictionRequestTarget } }): string => o.spec.target.pod?.name ?? '<unset>',
  'Target Type': (o: { spec: { target: EvictionRequestTarget } }): string => (o.spec.target.pod ? 'Pod' : '<unset>')
}
