/** Finds devices for claims: all that the claims ask for, or none. */
import type { DeviceAttribute, DeviceConstraint, ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import { isRepelled } from '../node-selector.js'
import { type Consumption, consumptionOf } from './consumable-capacity.js'
import type { OfferedDevice, Pool } from './pools.js'
import type { Alternative, Wanted } from './requests.js'
import { Shares, type Usage } from './shares.js'

/** A device that has been chosen for a request. */
export interface Choice {
  readonly wanted: Wanted
  readonly alternative: Alternative
  readonly device: OfferedDevice
  /** What it takes of a device that claims share; undefined where it gets the device alone. */
  readonly share: Consumption | undefined
}

/** As many devices as a claim can have. */
const mostPerClaim = 32
/** How many devices are tried before the search gives up: it takes exponential time where much is shared. */
const mostTries = 100_000

export interface Inventory extends Usage {
  readonly node: string
  readonly pools: readonly Pool[]
  /** Whether steps of capacities may be fractions: the gate DRAFractionalCapacityRange. */
  readonly hasFractions: boolean
}

/** Returns what each claim gets, or undefined when they cannot all have what they want. Throws where that cannot be decided. */
export function allocate(
  claims: readonly ResourceClaim[],
  wanted: readonly Wanted[],
  inventory: Inventory
): readonly (readonly Choice[])[] | undefined {
  const search = new Search(claims, wanted, inventory)
  search.assertFits()
  return search.place(0) ? search.chosen : undefined
}

class Search {
  /** By the place of the claim. */
  readonly chosen: Choice[][]
  readonly #claims: readonly ResourceClaim[]
  readonly #wanted: readonly Wanted[]
  readonly #inventory: Inventory
  /** The places of the claims that are going to have a device that is not shared, by its id: one, and those of administrators. */
  readonly #taking = new Map<string, ReadonlySet<number>>()
  readonly #shares: Shares
  /** What is left of shared counters, by pool. */
  readonly #left: Map<Pool, Map<string, number>>
  readonly #offers: readonly { readonly pool: Pool; readonly device: OfferedDevice }[]
  #tries = 0

  constructor(claims: readonly ResourceClaim[], wanted: readonly Wanted[], inventory: Inventory) {
    const { pools, shares } = inventory
    this.#claims = claims
    this.#wanted = wanted
    this.#inventory = inventory
    this.#shares = new Shares(shares)
    this.#left = new Map(pools.map(pool => [pool, leftOf(pool, inventory)]))
    this.#offers = pools.flatMap(pool =>
      pool.isIncomplete || pool.isInvalid ? [] : pool.devices.map(device => ({ pool, device }))
    )
    this.chosen = claims.map(() => [])
  }

  /** Throws where a claim asks for more devices than a claim can have, whichever alternatives are chosen, or for all of an unknown number. */
  assertFits(): void {
    const sums = this.#claims.map(() => 0)
    for (const wanted of this.#wanted) {
      const fewest = Math.min(...wanted.alternatives.map(alternative => this.#countOf(wanted, alternative)))
      const before = sums[wanted.claim]!
      if (before + fewest > mostPerClaim) {
        const what = `adding ${fewest} devices exceeds the claim limit of ${mostPerClaim}, with ${before} already accounted for`
        throw this.#problem(wanted, wanted.request, what)
      }
      sums[wanted.claim] = before + fewest
    }
  }

  #countOf(wanted: Wanted, alternative: Alternative): number {
    if (alternative.count !== 'All') return alternative.count
    const unusable = this.#inventory.pools.find(({ isIncomplete, isInvalid }) => isIncomplete || isInvalid)
    if (unusable) {
      const pool = `${unusable.driver}/${unusable.name}`
      const state = unusable.isIncomplete ? 'being updated' : 'invalid'
      throw this.#problem(wanted, alternative.name, `asks for all devices, but resource pool ${pool} is currently ${state}`)
    }
    return this.#allFor(wanted, alternative).length
  }

  /** The devices that would do if nobody had them. */
  #allFor(wanted: Wanted, alternative: Alternative) {
    return this.#offers.filter(({ device }) => {
      if (!alternative.selects(device)) return false
      const consumption = this.#consumptionOf(wanted, alternative, device)
      return consumption !== undefined && unused.leave(device.id, device.device, consumption)
    })
  }

  /** Places all requests from the given one on. */
  place(from: number): boolean {
    const wanted = this.#wanted[from]
    if (!wanted) return true
    return wanted.alternatives.some(alternative =>
      alternative.count === 'All'
        ? this.#placeAll(from, wanted, alternative)
        : this.#pick(from, wanted, alternative, alternative.count, 0)
    )
  }

  #placeAll(from: number, wanted: Wanted, alternative: Alternative): boolean {
    const all = this.#allFor(wanted, alternative)
    if (all.length === 0) return false
    const undo: (() => void)[] = []
    const isPlaced = all.every(({ pool, device }) => {
      const give = this.#take(wanted, alternative, pool, device)
      if (give) undo.push(give)
      return give !== undefined
    })
    if (isPlaced && this.place(from + 1)) return true
    for (const give of undo.reverse()) give()
    return false
  }

  /** Picks `count` devices of those from `start` on, and goes on with the next request. */
  #pick(from: number, wanted: Wanted, alternative: Alternative, count: number, start: number): boolean {
    if (count === 0) return this.place(from + 1)
    for (let i = start; i <= this.#offers.length - count; i++) {
      const { pool, device } = this.#offers[i]!
      if (++this.#tries > mostTries) throw new Error(`node ${this.#inventory.node}: timed out trying to allocate devices`)
      // what is in use is not looked at, so that an expression that would fail on it does not
      if (this.#isTaken(wanted, alternative, device)) continue
      if (!alternative.selects(device)) continue
      const give = this.#take(wanted, alternative, pool, device)
      if (!give) continue
      if (this.#pick(from, wanted, alternative, count - 1, i + 1)) return true
      give()
    }
    return false
  }

  /** Takes a device, and returns what gives it back; undefined where the claim cannot have it. */
  #take(wanted: Wanted, alternative: Alternative, pool: Pool, device: OfferedDevice): (() => void) | undefined {
    const chosen = this.chosen[wanted.claim]!
    if (chosen.length >= mostPerClaim) return undefined
    if (this.#isTaken(wanted, alternative, device)) return undefined
    if (isRepelled(alternative.tolerations, device.taints)) return undefined
    const consumption = this.#consumptionOf(wanted, alternative, device)
    if (!consumption || !this.#shares.leave(device.id, device.device, consumption)) return undefined
    const { constraints = [] } = this.#claims[wanted.claim]!.spec.devices
    const isShared = device.device.allowMultipleAllocations ?? false
    const choice: Choice = { wanted, alternative, device, share: isShared ? consumption : undefined }
    if (!constraints.every(constraint => isMet(constraint, choice, chosen))) {
      if (alternative.count !== 'All') return undefined
      throw this.#problem(
        wanted,
        alternative.name,
        `cannot add device ${device.id} because a claim constraint would not be satisfied`
      )
    }
    // the first share of a device has taken its counters; administrators take counters, too
    const used = isShared && this.#shares.has(device.id) ? undefined : this.#use(pool, device)
    if (used === null) return undefined
    chosen.push(choice)
    const release = isShared ? this.#shares.add(device.id, consumption) : this.#hold(device.id, wanted.claim)
    return () => {
      chosen.pop()
      release()
      used?.()
    }
  }

  /** Administrators may have devices that others have, but each only once in a claim. */
  #isTaken({ claim }: Wanted, { adminAccess }: Alternative, { id }: OfferedDevice): boolean {
    const taking = this.#taking.get(id)
    return adminAccess ? taking?.has(claim) === true : taking !== undefined || this.#inventory.taken.has(id)
  }

  #hold(id: string, claim: number): () => void {
    const before = this.#taking.get(id)
    this.#taking.set(id, new Set([...(before ?? []), claim]))
    return () => {
      if (before) this.#taking.set(id, before)
      else this.#taking.delete(id)
    }
  }

  #consumptionOf(wanted: Wanted, alternative: Alternative, { id, device }: OfferedDevice): Consumption | undefined {
    try {
      return consumptionOf(device, alternative.capacity, this.#inventory.hasFractions)
    } catch (error) {
      throw this.#problem(wanted, alternative.name, `checking capacity for device ${id}: ${(error as Error).message}`)
    }
  }

  #problem({ claim }: Wanted, request: string, text: string): Error {
    const { namespace, name } = this.#claims[claim]!.metadata
    return new Error(`claim ${namespace}/${name}, request ${request}: ${text}`)
  }

  /** Takes from the counters of the pool what the device needs; null where they have not so much. */
  #use(pool: Pool, { device }: OfferedDevice): (() => void) | undefined | null {
    const needs = pool.consumption.get(device.name)
    if (!needs || needs.size === 0) return undefined
    const left = this.#left.get(pool)!
    for (const [counter, amount] of needs) if ((left.get(counter) ?? 0) < amount) return null
    const add = (sign: 1 | -1) => {
      for (const [counter, amount] of needs) left.set(counter, left.get(counter)! + sign * amount)
    }
    add(-1)
    return () => add(1)
  }
}

const unused = new Shares()

function leftOf({ driver, name, counters, consumption }: Pool, { taken, shares }: Usage): Map<string, number> {
  const left = new Map(counters)
  for (const [device, needs] of consumption) {
    const id = `${driver}/${name}/${device}`
    if (taken.has(id) || shares.has(id))
      for (const [counter, amount] of needs) left.set(counter, (left.get(counter) ?? 0) - amount)
  }
  return left
}

const concerns = ({ requests }: DeviceConstraint, { wanted, alternative }: Choice): boolean =>
  !requests?.length || requests.includes(wanted.request) || requests.includes(alternative.name)

/** Whether the device may join those that the claim has already. */
function isMet(constraint: DeviceConstraint, choice: Choice, chosen: readonly Choice[]): boolean {
  if (!concerns(constraint, choice)) return true
  const { matchAttribute, distinctAttribute } = constraint
  const name = matchAttribute ?? distinctAttribute ?? ''
  const value = attributeOf(choice.device, name)
  if (value === undefined) return false
  const others = chosen.filter(other => concerns(constraint, other)).map(({ device }) => attributeOf(device, name))
  return matchAttribute === undefined ? !others.includes(value) : others.every(other => other === value)
}

/** Returns a text that is the same for equal attributes of one type. Without a domain, an attribute is in that of its driver. */
function attributeOf({ driver, device: { attributes } }: OfferedDevice, name: string): string | undefined {
  const slash = name.indexOf('/')
  const short = name.slice(0, slash) === driver ? name.slice(slash + 1) : undefined
  const found: DeviceAttribute | undefined = attributes?.[name] ?? (short === undefined ? undefined : attributes?.[short])
  return found && JSON.stringify(found)
}
