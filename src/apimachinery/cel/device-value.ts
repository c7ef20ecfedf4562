/** The variable `device` of selectors. */
import type { Device, DeviceAttribute } from '../api/generated/resource-v1.js'
import { deviceType } from './device-environment.js'
import { quantity } from './library/quantities.js'
import { semver } from './library/semvers.js'
import { CelError, EntryMap, ObjectValue, type Value } from './values/value.js'

/** What is under one domain, by name. */
type OfDomain = Map<string, readonly [Value, Value]>

/** By domain. A domain that is not there is an empty map, so that `has` and `in` work for each. */
class Domains extends EntryMap {
  override get(key: Value): Value | undefined {
    return super.get(key) ?? (typeof key === 'string' ? noEntries : undefined)
  }
}

const noEntries = new EntryMap(new Map())

/** Sorts names with or without a domain under their domains; without one, it is the driver's. */
function byDomain<T>(driver: string, items: Readonly<Record<string, T>> | undefined, asValue: (item: T) => Value): Domains {
  const domains = new Map<string, OfDomain>()
  for (const [key, item] of Object.entries(items ?? {})) {
    const slash = key.indexOf('/')
    const domain = slash < 0 ? driver : key.slice(0, slash)
    const name = key.slice(slash + 1)
    if (!domains.has(domain)) domains.set(domain, new Map())
    domains.get(domain)!.set(`s${name}`, [name, asValue(item)])
  }
  return new Domains(new Map([...domains].map(([domain, entries]) => [`s${domain}`, [domain, new EntryMap(entries)]])))
}

function attributeValue({ int, bool, string, version }: DeviceAttribute): Value {
  if (int !== undefined) return BigInt(int)
  if (version !== undefined) return semver(version)
  return bool ?? string ?? new CelError('unsupported attribute value')
}

/** A device as selectors see it. */
export class DeviceValue extends ObjectValue {
  readonly type = deviceType
  readonly #fields: ReadonlyMap<string, Value>

  constructor(driver: string, { attributes, capacity, allowMultipleAllocations = false }: Device) {
    super()
    this.#fields = new Map<string, Value>([
      ['driver', driver],
      ['allowMultipleAllocations', allowMultipleAllocations],
      ['attributes', byDomain(driver, attributes, attributeValue)],
      ['capacity', byDomain(driver, capacity, ({ value }) => quantity(value))]
    ])
  }

  override field(name: string): Value | undefined {
    return this.#fields.get(name)
  }

  equals(other: ObjectValue): boolean {
    return other === this
  }
}
