import { NodeState } from '../node-state.js'
import { mostScore, type Plugin, type Rejection } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { type Amounts, amountOf, amountsOf } from '../resources.js'

/** What the Node lacks for the Pod. */
function lack({ requests: { amounts } }: PodInfo, node: NodeState): Rejection | undefined {
  const tooMany = node.pods.size + 1 > node.mostPods
  let reasons: string[] | undefined = tooMany ? ['Too many pods'] : undefined
  let isFinal = false
  for (const [name, amount] of amounts) {
    if (amount === 0) continue
    const offered = node.allocatable.get(name) ?? 0
    if (amount <= offered - (node.requested.get(name) ?? 0)) continue
    reasons = [...(reasons ?? []), `Insufficient ${name}`]
    if (amount > offered) isFinal = true
  }
  return reasons && { reasons, isFinal }
}

const leastAllocated = (requested: number, offered: number): number =>
  requested > offered ? 0 : Math.trunc(((offered - requested) * mostScore) / offered)

const grows = (before: Amounts, after: Amounts, { requests }: PodInfo): boolean =>
  [...requests.amounts].some(([name, amount]) => amount > 0 && (after.get(name) ?? 0) > (before.get(name) ?? 0))

/** Whether a Node has enough of every resource that the Pod requests; prefers Nodes of which little is requested. */
export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  check: pod => ({ filter: node => lack(pod, node) }),
  scoring: ({ requests: { usual } }) => ({
    score(node) {
      let sum = 0
      let count = 0
      for (const name of ['cpu', 'memory'] as const) {
        const offered = node.allocatable.get(name) ?? 0
        if (offered === 0) continue
        sum += leastAllocated(node.usual[name] + usual[name], offered)
        count++
      }
      return count === 0 ? 0 : Math.trunc(sum / count)
    }
  }),
  mayHelp(event, pod) {
    if (event.on === 'self') return grows(event.pod.requests.amounts, event.old.requests.amounts, pod)
    if (event.on === 'pod')
      return !!event.old && (!event.pod || grows(event.pod.requests.amounts, event.old.requests.amounts, pod))
    if (event.on !== 'node' || !event.node) return false
    const alone = new NodeState(event.node.metadata.name!)
    alone.setNode(event.node)
    if (lack(pod, alone)) return false
    if (!event.old) return true
    const { allocatable } = event.old.status
    return amountOf('pods', allocatable?.pods ?? '0') < alone.mostPods || grows(amountsOf(allocatable), alone.allocatable, pod)
  }
}
