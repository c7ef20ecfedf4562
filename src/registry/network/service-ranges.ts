/**
 * The ranges that Services get addresses from: those of all ServiceCIDRs that are ready. A configured range is one of them from the
 * start, and depends on ServiceCIDRs as soon as one has named it.
 */
import type { ServiceCIDR } from '../../apimachinery/api/generated/networking-v1.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import type { WatchCache } from '../../storage/watch-cache.js'
import { AddressRange } from './address-range.js'
import type { IPFamily } from './service-network.js'

/** kube-apiserver allocates no addresses from ranges of a ServiceCIDR that are larger. */
const mostHostBits = 64

interface Given {
  readonly cidrs: readonly string[]
  readonly ready: boolean
}

export class ServiceRanges {
  readonly #given = new Map<string, Given>()
  /** The configured ranges that no ServiceCIDR has named so far. */
  readonly #unnamed: Set<string>
  #all: ReadonlyMap<string, AddressRange>
  readonly #ready: Readonly<Record<IPFamily, AddressRange[]>> = { IPv4: [], IPv6: [] }

  constructor(configured: readonly AddressRange[]) {
    this.#all = new Map(configured.map(range => [range.cidr, range]))
    this.#unnamed = new Set(this.#all.keys())
    for (const range of configured) this.#ready[range.family].push(range)
  }

  /** All ranges, ready or not. */
  get all(): Iterable<AddressRange> {
    return this.#all.values()
  }

  /** Returns the ranges of a family from which addresses are allocated. */
  ready(family: IPFamily): readonly AddressRange[] {
    return this.#ready[family]
  }

  /** Makes this range the first to be tried: it gave an address, and the ranges before it are full. */
  prefer(range: AddressRange): void {
    const ranges = this.#ready[range.family]
    const at = ranges.indexOf(range)
    if (at > 0) ranges.unshift(...ranges.splice(at, 1))
  }

  follow(serviceCidrs: WatchCache): WatchHandle {
    let changed = false
    const handle = follow(serviceCidrs, {
      changed: ({ current, previous }) => {
        if (current) this.#given.set(current.name, read(JSON.parse(current.bytes.toString())))
        else if (previous) this.#given.delete(previous.name)
        changed = true
      },
      settled: () => {
        if (changed) this.#update()
        changed = false
      }
    })
    // at the beginning, nobody settles what already exists
    this.#update()
    return handle
  }

  #update(): void {
    for (const { cidrs } of this.#given.values()) for (const cidr of cidrs) this.#unnamed.delete(cidr)
    const all = new Map<string, AddressRange>()
    const ready = new Set<AddressRange>()
    const add = (cidr: string, isReady: boolean) => {
      const range = all.get(cidr) ?? this.#all.get(cidr) ?? additional(cidr)
      if (!range) return
      all.set(cidr, range)
      if (isReady) ready.add(range)
    }
    for (const cidr of this.#unnamed) add(cidr, true)
    for (const { cidrs, ready } of this.#given.values()) for (const cidr of cidrs) add(cidr, ready)
    this.#all = all
    for (const ranges of Object.values(this.#ready)) ranges.length = 0
    for (const range of ready) this.#ready[range.family].push(range)
  }
}

function additional(cidr: string): AddressRange | undefined {
  const range = AddressRange.parse(cidr)
  return range && range.hostBits <= mostHostBits ? range : undefined
}

/** A ServiceCIDR without the condition is ready, so that clusters without its controller can use it. */
function read({ metadata, spec, status }: ServiceCIDR): Given {
  const condition = status?.conditions?.find(({ type }) => type === 'Ready')
  return {
    cidrs: spec.cidrs ?? [],
    ready: metadata.deletionTimestamp === undefined && (condition === undefined || condition.status === 'True')
  }
}
