/** Which devices are in use, and how much of those that several claims share. */
import type { Device, DeviceRequestAllocationResult } from '../../../apimachinery/api/generated/resource-v1.js'
import { nanoValue, parseQuantity } from '../../../util/quantity.js'
import type { Consumption } from './consumable-capacity.js'

const nanos = (quantity: string) => nanoValue(parseQuantity(quantity))

/** What claims have of devices, by the devices' ids. */
export interface Usage {
  /** Those that belong to one claim alone. */
  readonly taken: ReadonlySet<string>
  readonly shares: Shares
}

/** The shares of devices that several claims may have. */
export class Shares {
  /** What the shares of a device consume together, in billionths; empty where it has no capacities. */
  readonly #used: Map<string, ReadonlyMap<string, bigint>>

  constructor(from?: Shares) {
    this.#used = new Map(from ? from.#used : [])
  }

  has(id: string): boolean {
    return this.#used.has(id)
  }

  /** Whether the device has so much left. */
  leave(id: string, { capacity = {} }: Device, consumption: Consumption): boolean {
    const amounts = this.#used.get(id)
    return Object.entries(consumption).every(
      ([name, amount]) => (amounts?.get(name) ?? 0n) + nanos(amount) <= nanos(capacity[name]!.value)
    )
  }

  /** Adds a share, and returns what takes it away again if no other has been added since. */
  add(id: string, consumption: Consumption): () => void {
    const before = this.#used.get(id)
    const amounts = new Map(before)
    for (const [name, amount] of Object.entries(consumption)) amounts.set(name, (amounts.get(name) ?? 0n) + nanos(amount))
    this.#used.set(id, amounts)
    return () => {
      if (before) this.#used.set(id, before)
      else this.#used.delete(id)
    }
  }
}

/** What is in use by the results of all claims; what administrators look at is not. */
export function usageBy(results: Iterable<DeviceRequestAllocationResult>): Usage {
  const taken = new Set<string>()
  const shares = new Shares()
  for (const { adminAccess, driver, pool, device, shareID, consumedCapacity = {} } of results) {
    if (adminAccess) continue
    const id = `${driver}/${pool}/${device}`
    if (shareID === undefined) taken.add(id)
    else shares.add(id, consumedCapacity)
  }
  return { taken, shares }
}
