/**
 * How fast the Nodes of a zone are given up: one after the other, none at all where most are lost, because then it may be the network:
 * https://kubernetes.io/docs/concepts/architecture/nodes/#rate-limits-on-eviction
 */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'

/** Nodes per second: --node-eviction-rate and --secondary-node-eviction-rate. */
const usualRate = 0.1
const lowRate = 0.01
/** --large-cluster-size-threshold and --unhealthy-zone-threshold. */
const largeZone = 50
const unhealthyPart = 0.55

export type ZoneState = 'Initial' | 'Normal' | 'FullDisruption' | 'PartialDisruption'

export function zoneOf({ metadata: { labels = {} } }: Node): string {
  const region = labels['topology.kubernetes.io/region'] ?? ''
  const zone = labels['topology.kubernetes.io/zone'] ?? ''
  return region === '' && zone === '' ? '' : `${region} ${zone}`
}

/** Nodes that wait for their taint. */
class ZoneQueue {
  readonly #waiting = new Set<string>()
  /** With those that have had their turn. */
  readonly #known = new Set<string>()
  #rate = usualRate
  /** When the next Node may be taken. */
  #freeAt = 0

  add(name: string): void {
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.#waiting.add(name)
  }

  remove(name: string): void {
    this.#known.delete(name)
    this.#waiting.delete(name)
  }

  limit(rate: number, now: number): void {
    if (rate === this.#rate) return
    this.#freeAt = rate > 0 && this.#freeAt > now ? now + 1000 / rate : 0
    this.#rate = rate
  }

  take(now: number): string | undefined {
    if (this.#rate === 0 || this.#freeAt > now) return undefined
    const [name] = this.#waiting
    if (name === undefined) return undefined
    this.#waiting.delete(name)
    this.#freeAt = now + 1000 / this.#rate
    return name
  }

  /** When the next Node can be taken; undefined when none waits, or none may be taken. */
  get nextAt(): number | undefined {
    return this.#waiting.size > 0 && this.#rate > 0 ? this.#freeAt : undefined
  }
}

export function stateOf(ready: readonly boolean[]): ZoneState {
  const lost = ready.filter(isReady => !isReady).length
  if (lost > 0 && lost === ready.length) return 'FullDisruption'
  return lost > 2 && lost / ready.length >= unhealthyPart ? 'PartialDisruption' : 'Normal'
}

function rateOf(state: ZoneState, size: number): number {
  if (state === 'PartialDisruption') return size > largeZone ? lowRate : 0
  return usualRate
}

export class Zones {
  readonly #queues = new Map<string, ZoneQueue>()
  readonly #states = new Map<string, ZoneState>()

  queueOf(node: Node): ZoneQueue {
    const zone = zoneOf(node)
    let queue = this.#queues.get(zone)
    if (!queue) this.#queues.set(zone, (queue = new ZoneQueue()))
    return queue
  }

  /**
   * Sets the rates by how many Nodes of each zone are ready. Returns `lost` when now none is in the whole cluster: then the Nodes keep
   * their Pods; `found` when some are again after that: then all get their time of grace anew.
   */
  update(ready: ReadonlyMap<string, readonly boolean[]>, now: number): 'lost' | 'found' | undefined {
    for (const zone of this.#states.keys()) if (!ready.has(zone)) this.#states.delete(zone)
    const next = new Map([...ready].map(([zone, nodes]) => [zone, stateOf(nodes)]))
    const isLost = (states: Iterable<ZoneState>) => [...states].every(state => state === 'FullDisruption')
    const wasLost = this.#states.size > 0 && isLost(this.#states.values())
    const nowLost = next.size > 0 && isLost(next.values())
    if (wasLost && nowLost) return undefined
    for (const [zone, state] of next) {
      this.#states.set(zone, state)
      this.#queues.get(zone)?.limit(nowLost ? 0 : rateOf(state, ready.get(zone)!.length), now)
    }
    if (nowLost) return 'lost'
    return wasLost ? 'found' : undefined
  }

  /** The Nodes whose turn it is. */
  take(now: number): string[] {
    return [...this.#queues.values()].flatMap(queue => queue.take(now) ?? [])
  }

  get nextAt(): number | undefined {
    const times = [...this.#queues.values()].flatMap(queue => queue.nextAt ?? [])
    return times.length > 0 ? Math.min(...times) : undefined
  }
}
