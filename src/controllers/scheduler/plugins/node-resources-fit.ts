import type { DeviceClass } from '../../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { resourcesOf } from '../../../kinds/resource/class-resources.js'
import type { Cluster } from '../cluster.js'
import { NodeState } from '../node-state.js'
import { mostScore, type Plugin, type Rejection } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { type Amounts, amountOf, amountsOf } from '../resources.js'

/** Whether devices of a class provide the resource where Nodes do not. The plugin for these looks after it then. */
const isOfDevices = (name: string, { requests }: PodInfo, { objects }: Cluster): boolean =>
  requests.extended.includes(name) && objects.devices.classFor(name) !== undefined

/** What the Node lacks for the Pod. */
function lack(pod: PodInfo, node: NodeState, cluster: Cluster): Rejection | undefined {
  const { amounts } = pod.requests
  const tooMany = node.pods.size + 1 > node.mostPods
  let reasons: string[] | undefined = tooMany ? ['Too many pods'] : undefined
  let isFinal = false
  for (const [name, amount] of amounts) {
    if (amount === 0) continue
    const offered = node.allocatable.get(name) ?? 0
    if (amount <= offered - (node.requested.get(name) ?? 0)) continue
    if (offered === 0 && isOfDevices(name, pod, cluster)) continue
    reasons = [...(reasons ?? []), `Insufficient ${name}`]
    if (amount > offered) isFinal = true
  }
  return reasons && { reasons, isFinal }
}

const leastAllocated = (requested: number, offered: number): number =>
  requested > offered ? 0 : Math.trunc(((offered - requested) * mostScore) / offered)

const grows = (before: Amounts, after: Amounts, { requests }: PodInfo): boolean =>
  [...requests.amounts].some(([name, amount]) => amount > 0 && (after.get(name) ?? 0) > (before.get(name) ?? 0))

/** Whether the class provides a resource of the Pod that it did not provide before. */
function providesMore(object: KubeObject | undefined, old: KubeObject | undefined, { requests }: PodInfo): boolean {
  const [after, before] = [object, old].map(given => (given ? resourcesOf(given as DeviceClass & KubeObject) : []))
  return after!.some(name => !before!.includes(name) && requests.extended.includes(name))
}

/** Whether a Node has enough of every resource that the Pod requests; prefers Nodes of which little is requested. */
export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  check: (pod, cluster) => ({ filter: node => lack(pod, node, cluster) }),
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
  mayHelp(event, pod, cluster) {
    if (event.on === 'DeviceClass') return providesMore(event.object, event.old, pod)
    if (event.on === 'self') return grows(event.pod.requests.amounts, event.old.requests.amounts, pod)
    if (event.on === 'pod')
      return !!event.old && (!event.pod || grows(event.pod.requests.amounts, event.old.requests.amounts, pod))
    if (event.on !== 'node' || !event.node) return false
    const alone = new NodeState(event.node.metadata.name!)
    alone.setNode(event.node)
    if (lack(pod, alone, cluster)) return false
    if (!event.old) return true
    const { allocatable } = event.old.status
    if (amountOf('pods', allocatable?.pods ?? '0') < alone.mostPods || grows(amountsOf(allocatable), alone.allocatable, pod))
      return true
    return pod.requests.extended.some(name => !alone.allocatable.get(name) && isOfDevices(name, pod, cluster))
  }
}
