/** Changes objects at random, by their schema, with values that rules of validation are about, and with what other objects have in the same place. */
import { texts } from './texts.mjs'

const keys = [
  'a',
  '',
  'A_b',
  'example.com/a',
  'a/b/c',
  '-a',
  'x'.repeat(64),
  'kubernetes.io/hostname',
  'cpu',
  'memory',
  'storage',
  'pods',
  'ephemeral-storage',
  'hugepages-2Mi',
  'requests.cpu',
  'example.com/gpu',
  '__proto__',
  'kubernetes.io/x'
]
const numbers = [
  -2147483649, -1001, -1, 0, 1, 2, 3, 4, 5, 10, 30, 64, 80, 99, 100, 101, 255, 256, 511, 600, 601, 999, 1000, 1001, 1024, 3600,
  3601, 30000, 32767, 32768, 65535, 65536, 86400, 1000000000, 1000000001, 2147483647, 2147483648
]
const wrong = [null, '', 'a', 1, -1, 1.5, true, [], {}, [null], [{}], { a: null }]

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

export class Plausible {
  #random
  #follow
  #values = new Map()
  #objects = new Map()
  #keys = new Map()

  constructor(random, bodies) {
    this.#random = random
    for (const body of bodies) this.#learn(body, '')
  }

  #learn(value, name) {
    if (Array.isArray(value)) for (const item of value) this.#learn(item, name)
    else if (isObject(value)) {
      for (const key of Object.keys(value)) add(this.#keys, name, key)
      add(this.#objects, name, JSON.stringify(value))
      for (const [key, item] of Object.entries(value)) this.#learn(item, key)
    } else if (value !== null && value !== undefined) add(this.#values, name, value)
  }

  /** A changed copy of an object of the schema. */
  changed(object, { schema, follow }, times = 1 + this.#random.below(2)) {
    const copy = structuredClone(object)
    this.#follow = follow
    for (let i = 0; i < times; i++) this.#change(copy, schema, '', 0)
    return copy
  }

  /** A value for a field of this name. */
  value(name, { schema, follow }) {
    this.#follow = follow
    return this.#of(schema, name, 4)
  }

  #change(object, schema = {}, name, depth) {
    const random = this.#random
    const { properties, additionalProperties } = this.#follow(schema)
    if (!properties) {
      const present = Object.keys(object)
      const key = present.length > 0 && random.chance(0.5) ? random.pick(present) : this.#key(name)
      if (random.chance(0.2)) delete object[key]
      else put(object, key, this.#of(additionalProperties ?? {}, name, 2))
      return
    }
    const present = Object.keys(object).filter(key => properties[key])
    // what is there leads deeper; what is not makes new combinations
    const known = present.filter(key => isObject(object[key]) || Array.isArray(object[key]))
    let key = known.length > 0 && random.chance(0.65) ? random.pick(known) : random.pick(Object.keys(properties))
    if (depth === 0 && ['apiVersion', 'kind'].includes(key)) return
    if (depth === 0 && key === 'metadata' && random.chance(0.7))
      key = properties.spec ? 'spec' : random.pick(Object.keys(properties))
    if (depth === 0 && ['apiVersion', 'kind'].includes(key)) return
    const inner = properties[key]
    const current = object[key]
    if (
      depth === 1 &&
      name === 'metadata' &&
      ['name', 'namespace', 'uid', 'resourceVersion', 'managedFields', 'generateName'].includes(key) &&
      random.chance(0.8)
    )
      return
    if (isObject(current) && random.chance(0.8)) return this.#change(current, inner, key, depth + 1)
    if (Array.isArray(current) && current.length > 0 && random.chance(0.85))
      return this.#changeList(current, this.#follow(inner).items, key, depth)
    if (current !== undefined && random.chance(0.12)) delete object[key]
    else put(object, key, this.#of(inner, key, 4))
  }

  #changeList(list, items, name, depth) {
    const random = this.#random
    const at = random.below(list.length)
    if (isObject(list[at]) && random.chance(0.7)) return this.#change(list[at], items, name, depth + 1)
    switch (random.below(6)) {
      case 0:
        return list.push(structuredClone(list[at]))
      case 1:
        return list.splice(at, 1)
      case 2:
        return list.reverse()
      case 3:
        list[at] = this.#of(items, name, 3)
        return
      default:
        return list.push(this.#of(items, name, 3))
    }
  }

  #of(schema = {}, name, depth) {
    const random = this.#random
    if (random.chance(0.03)) return structuredClone(random.pick(wrong))
    const resolved = this.#follow(schema)
    const type = resolved.type ?? (resolved.oneOf ? 'either' : 'object')
    if (type === 'array') {
      const length = random.pick([0, 1, 1, 1, 2, 2, 3])
      return depth > 0 ? Array.from({ length }, () => this.#of(resolved.items, name, depth - 1)) : []
    }
    if (type === 'object') return this.#object(resolved, name, depth)
    const known = [...(this.#values.get(name) ?? [])].filter(value => typeof value === jsType(type) || type === 'either')
    if (known.length > 0 && random.chance(0.45)) return random.pick(known)
    if (type === 'integer' || type === 'number') return random.pick(numbers)
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'either' && random.chance(0.5)) return random.pick(numbers)
    if (resolved.enum && random.chance(0.5)) return random.pick(resolved.enum)
    return random.pick(random.pick(texts))
  }

  #object(schema, name, depth) {
    const random = this.#random
    const { properties, additionalProperties } = schema
    const known = [...(this.#objects.get(name) ?? [])]
    if (known.length > 0 && random.chance(0.5)) {
      const value = JSON.parse(random.pick(known))
      // objects of other kinds have the name, too: few unknown fields are enough
      if (properties && random.chance(0.97)) for (const key of Object.keys(value)) if (!properties[key]) delete value[key]
      if (properties && random.chance(0.4)) this.#change(value, schema, name, 2)
      return value
    }
    if (depth <= 0) return {}
    const made = {}
    if (properties) {
      const names = Object.keys(properties)
      for (let n = 1 + random.below(3); n > 0; n--) {
        const key = random.pick(names)
        put(made, key, this.#of(properties[key], key, depth - 1))
      }
    } else
      for (let n = 1 + random.below(2); n > 0; n--)
        put(made, this.#key(name), this.#of(additionalProperties ?? {}, name, depth - 1))
    return made
  }

  #key(name) {
    const known = [...(this.#keys.get(name) ?? [])]
    return known.length > 0 && this.#random.chance(0.5) ? this.#random.pick(known) : this.#random.pick(keys)
  }
}

const jsType = type => (type === 'integer' ? 'number' : type)

/** `__proto__` is a key like others. */
function put(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

function add(map, key, value) {
  if (!map.has(key)) map.set(key, new Set())
  map.get(key).add(value)
}
