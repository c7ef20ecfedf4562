/** Generates valid and invalid random values from an OpenAPI schema. */
const texts = ['', 'a', 'A-b.c', '1', '-1', '10Gi', 'x'.repeat(64), 'é', ' ', '2024-01-02T03:04:05Z', 'a/b', '0.5', '50%', 'None']
const integers = [
  '0',
  '1',
  '-1',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808'
]
const wrong = [null, '', 'a', 1, -1, 1.5, true, [], {}, [null], { a: null }]

export class Values {
  #random
  #follow
  #wrong

  /** `wrong`: how often a value is of no type that fits. */
  constructor(random, follow, wrong = 0.1) {
    this.#random = random
    this.#follow = follow
    this.#wrong = wrong
  }

  /** A value of the schema's type, or now and then of another. Integers are texts in a wrapper, so that none is rounded. */
  of(schema, depth = 3) {
    if (this.#random.chance(this.#wrong)) return this.#random.pick(wrong)
    const resolved = this.#follow(schema)
    switch (resolved.type) {
      case 'integer':
        return new Exact(this.#random.pick(integers))
      case 'number':
        return this.#random.pick([0, 1, -1, 0.5, 1e21])
      case 'boolean':
        return this.#random.chance(0.5)
      case 'string':
        return resolved.enum && this.#random.chance(0.7) ? this.#random.pick(resolved.enum) : this.#random.pick(texts)
      case 'array':
        return Array.from({ length: depth > 0 ? this.#random.below(3) : 0 }, () => this.of(resolved.items, depth - 1))
      default:
        return this.#object(resolved, depth)
    }
  }

  #object({ properties = {}, additionalProperties, oneOf }, depth) {
    if (oneOf) return this.#random.pick([new Exact(this.#random.pick(integers)), this.#random.pick(texts)])
    if (depth <= 0) return {}
    if (additionalProperties)
      return Object.fromEntries(this.#random.some(texts, 2).map(key => [key, this.of(additionalProperties, depth - 1)]))
    return Object.fromEntries(
      this.#random.some(Object.keys(properties), 3).map(name => [name, this.of(properties[name], depth - 1)])
    )
  }

  /** Puts a random value at a random field of an object, a few levels down where the object already has fields. */
  change(object, schema) {
    const { properties } = this.#follow(schema)
    if (!properties) return
    const name = this.#random.pick(Object.keys(properties))
    if (['apiVersion', 'kind'].includes(name)) return
    const inner = this.#follow(properties[name])
    const current = object[name]
    const deeper = current !== null && typeof current === 'object' && !(current instanceof Exact)
    if (deeper && this.#random.chance(0.8)) {
      if (!Array.isArray(current)) return this.change(current, inner)
      const item = this.#random.pick(current)
      if (item !== null && typeof item === 'object') return this.change(item, inner.items)
    }
    if (name !== 'metadata') object[name] = this.of(properties[name])
  }
}

/** An integer with all its digits. */
export class Exact {
  constructor(digits) {
    this.digits = digits
  }
}

/** A field that stands in its object twice. */
export class Repeated {
  constructor(...values) {
    this.values = values
  }
}

/** JSON of values in which there are exact integers and repeated fields. */
export function exactJson(value) {
  if (value instanceof Exact) return value.digits
  if (value instanceof Repeated) return exactJson(value.values[0])
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .flatMap(([key, item]) => (item instanceof Repeated ? item.values.map(one => [key, one]) : [[key, item]]))
    .map(([key, item]) => `${JSON.stringify(key)}:${exactJson(item)}`)
    .join(',')}}`
}
