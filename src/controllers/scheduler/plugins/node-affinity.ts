import type { Node, NodeSelectorTerm, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { labelsOf } from '../labels.js'
import { requiredNodes, termMatcher } from '../node-selector.js'
import { type Plugin, rejectForGood, scale } from '../plugin.js'

const requiredTerms = ({ spec }: Pod): readonly NodeSelectorTerm[] | undefined =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? undefined

/** The names of Nodes that the terms leave over; undefined when one of them names none. */
function namedNodes(terms: readonly NodeSelectorTerm[]): Set<string> | undefined {
  const all = new Set<string>()
  for (const { matchFields } of terms) {
    let names: Set<string> | undefined
    for (const { key, operator, values } of matchFields ?? []) {
      if (key !== 'metadata.name' || operator !== 'In') continue
      names = new Set(names ? values?.filter(value => names!.has(value)) : values)
    }
    if (!names) return undefined
    for (const name of names) all.add(name)
  }
  return all
}

const nameAndLabels = (node: Node) => ({ name: node.metadata.name!, labels: labelsOf(node) })

/** Holds Pods to their nodeSelector and their required node affinity, and scores Nodes by their preferred one. */
export const nodeAffinity: Plugin = {
  name: 'NodeAffinity',
  weight: 2,
  check({ pod }) {
    const terms = requiredTerms(pod)
    if (!terms && !pod.spec.nodeSelector) return undefined
    const matches = requiredNodes(pod)
    const only = terms?.length ? namedNodes(terms) : undefined
    if (only?.size === 0) return rejectForGood('pod affinity terms conflict')
    return {
      only,
      filter: node => (matches(node) ? undefined : rejectForGood("node(s) didn't match Pod's node affinity/selector"))
    }
  },
  scoring({ pod }) {
    const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution
    if (!preferred?.length) return undefined
    const terms = preferred.map(({ weight, preference }) => ({ weight, matches: termMatcher(preference) }))
    return {
      score: node => terms.reduce((sum, { weight, matches }) => (matches(node) ? sum + weight : sum), 0),
      normalize: scores => scale(scores, false)
    }
  },
  mayHelp(event, { pod }) {
    if (event.on !== 'node' || !event.node) return false
    const matches = requiredNodes(pod)
    return matches(nameAndLabels(event.node)) && !(event.old && matches(nameAndLabels(event.old)))
  }
}
