import type { Taint } from '../../../apimachinery/api/generated/core-v1.js'
import { isRepelled, isTolerated } from '../node-selector.js'
import { type Plugin, rejectForGood, scale } from '../plugin.js'

/** Keeps Pods away from Nodes with taints that they do not tolerate, and prefers Nodes with few of those that only advise against. */
export const taintToleration: Plugin = {
  name: 'TaintToleration',
  weight: 3,
  check: ({ pod }) => ({
    filter: ({ node }) =>
      isRepelled(pod.spec.tolerations, node!.spec.taints) ? rejectForGood('node(s) had untolerated taint(s)') : undefined
  }),
  scoring({ pod }, _, nodes) {
    const isPreference = ({ effect }: Taint) => effect === 'PreferNoSchedule'
    if (!nodes.some(({ node }) => node!.spec.taints?.some(isPreference))) return undefined
    const tolerations = pod.spec.tolerations?.filter(({ effect }) => !effect || effect === 'PreferNoSchedule')
    return {
      score: ({ node }) =>
        (node!.spec.taints ?? []).filter(taint => isPreference(taint) && !isTolerated(tolerations, taint)).length,
      normalize: scores => scale(scores, true)
    }
  },
  mayHelp(event, { pod: { spec } }) {
    if (event.on === 'self') return event.pod.pod.spec.tolerations?.length !== event.old.pod.spec.tolerations?.length
    if (event.on !== 'node' || !event.node || isRepelled(spec.tolerations, event.node.spec.taints)) return false
    return !event.old || isRepelled(spec.tolerations, event.old.spec.taints)
  }
}
