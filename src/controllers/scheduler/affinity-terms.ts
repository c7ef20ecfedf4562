/** Terms of affinity between Pods: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity */
import type { Affinity, PodAffinityTerm, WeightedPodAffinityTerm } from '../../apimachinery/api/generated/core-v1.js'
import type { Labels } from '../../apimachinery/selectors/labels.js'
import { type Selector, selectorOf } from './labels.js'

export interface AffinityTerm {
  readonly topologyKey: string
  readonly weight: number
  readonly namespaces: ReadonlySet<string>
  readonly namespaceSelector: Selector
  readonly selector: Selector
}

/** The terms of a Pod. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[]
  readonly requiredAnti: readonly AffinityTerm[]
  readonly preferred: readonly AffinityTerm[]
  readonly preferredAnti: readonly AffinityTerm[]
}

const noTerms: AffinityTerms = { required: [], requiredAnti: [], preferred: [], preferredAnti: [] }

export function termsOf(namespace: string, affinity: Affinity | undefined): AffinityTerms {
  const { podAffinity, podAntiAffinity } = affinity ?? {}
  if (!podAffinity && !podAntiAffinity) return noTerms
  const of = (term: PodAffinityTerm, weight = 0): AffinityTerm => ({
    topologyKey: term.topologyKey,
    weight,
    // without names and selector, it is the namespace of the Pod
    namespaces: new Set(term.namespaces?.length || term.namespaceSelector ? term.namespaces : [namespace]),
    namespaceSelector: selectorOf(term.namespaceSelector),
    selector: selectorOf(term.labelSelector)
  })
  const weighted = ({ weight, podAffinityTerm }: WeightedPodAffinityTerm) => of(podAffinityTerm, weight)
  const required = (terms: readonly PodAffinityTerm[] | undefined) => (terms ?? []).map(term => of(term))
  return {
    required: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAnti: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferred: (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
    preferredAnti: (podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted)
  }
}

/** What a term asks of a Pod. */
export interface Matched {
  readonly namespace: string
  readonly labels: Labels
}

/** Whether the term selects the Pod, whose namespace has these labels. */
export const termMatches = (term: AffinityTerm, pod: Matched, namespaceLabels: Labels): boolean =>
  (term.namespaces.has(pod.namespace) || term.namespaceSelector.matches(namespaceLabels)) && term.selector.matches(pod.labels)
