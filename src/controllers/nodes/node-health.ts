/** When a Node was heard of last: by its status, or by its Lease. */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { Node, NodeCondition } from '../../apimachinery/api/generated/core-v1.js'
import { timestamp } from '../../util/time.js'

/** kube-controller-manager's --node-monitor-grace-period and --node-startup-grace-period. */
export const graceMs = 50_000
export const startupGraceMs = 60_000

export const readyOf = ({ status }: Node): NodeCondition | undefined => status.conditions?.find(({ type }) => type === 'Ready')

interface Heard {
  readonly heartbeat: string | undefined
  readonly renewed: string
  readonly at: number
}

export class NodeHealth {
  readonly #heard = new Map<string, Heard>()

  /**
   * Takes note of what there is to see now. Returns whether the Node has been silent for too long. `beat`: when its kubelet is known to have
   * been alive, whatever its Lease says.
   */
  observe(node: Node, lease: Lease | undefined, now: number, beat = 0): boolean {
    const name = node.metadata.name!
    const ready = readyOf(node)
    const before = this.#heard.get(name)
    const heartbeat = ready ? (ready.lastHeartbeatTime ?? '') : undefined
    const known = before?.renewed ?? ''
    const renewed = lease?.spec?.renewTime ?? ''
    let at = before?.at ?? (ready ? now : Date.parse(node.metadata.creationTimestamp ?? ''))
    if (before && before.heartbeat !== heartbeat) at = now
    const isRenewed = renewed > known
    if (isRenewed) at = now
    at = Math.max(at, beat)
    this.#heard.set(name, { heartbeat, renewed: isRenewed ? renewed : known, at })
    return now > at + (ready ? graceMs : startupGraceMs)
  }

  /** Lets the grace of all Nodes begin anew. */
  restart(now: number): void {
    for (const [name, heard] of this.#heard) this.#heard.set(name, { ...heard, at: now })
  }

  has(name: string): boolean {
    return this.#heard.has(name)
  }

  forget(name: string): void {
    this.#heard.delete(name)
  }
}

/** What nobody knows of a Node that is silent. */
const unknowable = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** The conditions of a Node that has been silent for too long. */
export function unknownConditions({ metadata, status }: Node, now: number): NodeCondition[] {
  const present = status.conditions ?? []
  const time = timestamp(now)
  const known = present.map(condition => {
    if (!unknowable.includes(condition.type) || condition.status === 'Unknown') return condition
    const why = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }
    return { ...condition, status: 'Unknown', ...why, lastTransitionTime: time }
  })
  const never = unknowable
    .filter(type => !present.some(condition => condition.type === type))
    .map(type => ({
      type,
      status: 'Unknown',
      lastHeartbeatTime: metadata.creationTimestamp ?? null,
      lastTransitionTime: time,
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.'
    }))
  return [...known, ...never]
}
