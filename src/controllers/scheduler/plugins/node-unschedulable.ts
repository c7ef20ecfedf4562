import { isTolerated } from '../node-selector.js'
import { type Plugin, rejectForGood } from '../plugin.js'

const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Keeps Pods away from cordoned Nodes. */
export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  check({ pod }) {
    if (isTolerated(pod.spec.tolerations, taint)) return undefined
    return {
      filter: ({ node }) => (node!.spec.unschedulable ? rejectForGood('node(s) were unschedulable') : undefined)
    }
  },
  mayHelp(event, { pod }) {
    if (event.on === 'self') return isTolerated(pod.spec.tolerations, taint)
    if (event.on !== 'node' || !event.node) return false
    return !event.node.spec.unschedulable && (!event.old || !!event.old.spec.unschedulable)
  }
}
