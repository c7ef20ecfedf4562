/** Finds the transformer for a key, by the resource whose objects lie there. */
import { anyOfAll, type GroupResource, groupResourceText } from './group-resource.js'
import { keyOf } from './providers.js'
import type { Transformer } from './transformer.js'

/** How the values of a resource are encrypted. */
export interface Encryption {
  readonly transformer: Transformer
  /** The resource's name in metrics. */
  readonly resource: string
}

/** Undefined for a resource that is not encrypted. */
type Found = Encryption | undefined

/** How many paths are remembered: each resource has one, but the store may contain keys of any path. */
const maxPaths = 10_000

export class EncryptedResources {
  readonly #start: number
  readonly #root: string
  readonly #builtin: ReadonlyMap<string, GroupResource>
  #transformers: ReadonlyMap<string, Transformer> = new Map()
  /** What was found, by the first part of the path below the root. For paths of two parts, a map by the second one. */
  #byFirst = new Map<string, Found | Map<string, Found>>()
  #paths = 0

  /** `builtin` has the built-in resources by their path below the root: `secrets`, `services/specs`. */
  constructor(root: string, builtin: ReadonlyMap<string, GroupResource>) {
    this.#root = `${root}/`
    this.#start = root.length + 1
    this.#builtin = builtin
  }

  /** `transformers` are given by `resource.group`; both parts may be `*`. */
  use(transformers: ReadonlyMap<string, Transformer>): void {
    this.#transformers = transformers
    this.#byFirst = new Map()
    this.#paths = 0
  }

  /** Returns how the value of a key is encrypted. */
  of(key: string): Encryption | undefined {
    const slash = key.indexOf('/', this.#start)
    if (slash < 0 || !key.startsWith(this.#root)) return undefined
    const first = key.slice(this.#start, slash)
    let found = this.#byFirst.get(first)
    if (found === undefined && !this.#byFirst.has(first)) this.#remember(this.#byFirst, first, (found = this.#first(first)))
    return found instanceof Map ? this.#second(found, first, key, slash + 1) : found
  }

  #first(first: string): Found | Map<string, Found> {
    const builtin = this.#builtin.get(first)
    return builtin ? this.#encryption(builtin) : new Map()
  }

  #second(bySecond: Map<string, Found>, first: string, key: string, from: number): Found {
    const slash = key.indexOf('/', from)
    if (slash < 0) return undefined
    const second = key.slice(from, slash)
    const known = bySecond.get(second)
    if (known !== undefined || bySecond.has(second)) return known
    const builtin = this.#builtin.get(`${first}/${second}`)
    // keys that belong to no API lie under a name without a dot, such as ranges/
    const found = builtin || first.includes('.') ? this.#encryption(builtin ?? { group: first, resource: second }) : undefined
    this.#remember(bySecond, second, found)
    return found
  }

  #remember<T>(map: Map<string, T>, name: string, found: T): void {
    if (++this.#paths > maxPaths) {
      this.#byFirst = new Map()
      this.#paths = 0
    } else map.set(name, found)
  }

  #encryption(resource: GroupResource): Found {
    const wildcards = [resource, { group: resource.group, resource: '*' }, anyOfAll]
    const transformer = wildcards.map(one => this.#transformers.get(keyOf(one))).find(one => one !== undefined)
    return transformer && { transformer, resource: groupResourceText(resource) }
  }
}
