import type { Pod } from '../../api/generated/core-v1.js'
import type { LabelSelector } from '../../api/generated/meta-v1.js'

interface ByKeys {
  labelSelector?: LabelSelector | undefined
  matchLabelKeys?: string[] | undefined
  mismatchLabelKeys?: string[] | undefined
}

/** Keys stand for the new Pod's own labels: selectors get them spelled out, as the scheduler wants them. */
export function spellOutLabelKeys({ metadata, spec }: Pod): void {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  const terms: ByKeys[] = [podAffinity, podAntiAffinity].flatMap(a => [
    ...(a?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(a?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(p => p.podAffinityTerm)
  ])
  for (const term of [...terms, ...(spec.topologySpreadConstraints ?? [])]) {
    spellOut(term, term.matchLabelKeys, 'In', metadata.labels)
    spellOut(term, (term as ByKeys).mismatchLabelKeys, 'NotIn', metadata.labels)
  }
}

function spellOut(
  term: ByKeys,
  keys: readonly string[] | undefined,
  operator: string,
  labels: Record<string, string> | undefined
): void {
  if (!term.labelSelector || !labels) return
  for (const key of keys ?? []) {
    if (Object.hasOwn(labels, key)) (term.labelSelector.matchExpressions ??= []).push({ key, operator, values: [labels[key]!] })
  }
}
