/**
 * Shapes: generators of values that resemble each other, so that what several managers write overlaps. A shape is a function
 * `(random, before)`: with a value that it made before, it returns a changed one, which often has parts in common.
 */

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** One of the values. */
export const one =
  (...values) =>
  (random, before) =>
    before !== undefined && random.chance(0.5) ? before : random.pick(values)

/** An object with some of the fields, and with all of those whose names end with "!". */
export function fields(shapes) {
  const known = Object.entries(shapes).map(([name, shape]) => [name.replace(/!$/, ''), shape, name.endsWith('!')])
  return (random, before) => {
    const out = {}
    for (const [name, shape, always] of known) {
      const last = isObject(before) ? before[name] : undefined
      if (!always && !random.chance(last === undefined ? 0.35 : 0.7)) continue
      out[name] = last !== undefined && random.chance(0.4) ? last : shape(random, last)
    }
    return out
  }
}

/** A map with some of the keys. */
export const map = (keys, shape) => fields(Object.fromEntries(keys.map(key => [key, shape])))

/** A list of objects with some of the keys (each an object of key fields), in any order. */
export function items(keys, shape) {
  return (random, before) => {
    const last = Array.isArray(before) ? before : []
    const same = key => item => isObject(item) && Object.entries(key).every(([name, value]) => item[name] === value)
    const chosen = keys.filter(key => random.chance(last.some(same(key)) ? 0.7 : 0.4))
    if (random.chance(0.3)) chosen.reverse()
    return chosen.map(key => ({ ...key, ...shape(random, last.find(same(key))) }))
  }
}

/** Some of the values, each once, in any order. */
export function set(...values) {
  return (random, before) => {
    const chosen = values.filter(value => random.chance(Array.isArray(before) && before.includes(value) ? 0.7 : 0.4))
    return random.chance(0.3) ? chosen.reverse() : chosen
  }
}

/** A list of up to `most` values, at least `least`. */
export const list =
  (shape, most = 2, least = 0) =>
  random =>
    Array.from({ length: least + random.below(most - least + 1) }, () => shape(random))

/** Now and then null or empty in place of a value. */
export const odd = shape => (random, before) => (random.chance(0.1) ? random.pick([null, {}, []]) : shape(random, before))

export const orNull = shape => (random, before) => (random.chance(0.15) ? null : shape(random, before))

/** One of the shapes; the value before may be of another one. */
export const either =
  (...shapes) =>
  (random, before) =>
    random.pick(shapes)(random, before)

const leaves = ['', 's', 't', 0, 5, 1.5, true, false, null]
const keys = ['a', 'b', 'c']

/** Any JSON: a value that has a form keeps it, or takes another. */
export function free(depth = 3) {
  return (random, before) => {
    if (before !== undefined && random.chance(0.25)) return before
    const form = depth === 0 ? 'leaf' : random.pick(['leaf', 'leaf', 'map', 'map', 'map', 'list', 'empty'])
    if (form === 'leaf') return random.pick(leaves)
    if (form === 'empty') return random.pick([{}, []])
    const inner = free(depth - 1)
    return form === 'map' ? map(keys, inner)(random, before) : list(inner)(random)
  }
}

/** An object of any JSON. */
export const freeObject = (depth = 3) => map(keys, free(depth - 1))

/** An object without its empty fields. */
export const filled = shape => (random, before) =>
  Object.fromEntries(
    Object.entries(shape(random, before)).filter(([, value]) => typeof value !== 'object' || Object.keys(value).length > 0)
  )
