import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import type { ByLabelKeys } from './match-label-keys.js'

/** Adds the labels that matchLabelKeys name to the selectors of a new Pod, because the scheduler reads only selectors. */
export function spellOutLabelKeys({ metadata, spec }: Pod, features: Pick<FeatureGates, 'enabled'>): void {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  const terms: ByLabelKeys[] = [podAffinity, podAntiAffinity].flatMap(a => [
    ...(a?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(a?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(p => p.podAffinityTerm)
  ])
  const merges =
    features.enabled('MatchLabelKeysInPodTopologySpread') && features.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge')
  for (const term of [...terms, ...((merges && spec.topologySpreadConstraints) || [])]) {
    spellOut(term, term.matchLabelKeys, 'In', metadata.labels)
    spellOut(term, (term as ByLabelKeys).mismatchLabelKeys, 'NotIn', metadata.labels)
  }
}

function spellOut(
  term: ByLabelKeys,
  keys: readonly string[] | undefined,
  operator: string,
  labels: Record<string, string> | undefined
): void {
  if (!term.labelSelector || !labels) return
  for (const key of keys ?? []) {
    if (Object.hasOwn(labels, key)) (term.labelSelector.matchExpressions ??= []).push({ key, operator, values: [labels[key]!] })
  }
}
