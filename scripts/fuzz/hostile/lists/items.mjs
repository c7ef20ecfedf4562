/** Objects with very many items in one list or map, made from OpenAPI schemas. */

/** The kinds of items. `equal` and `different` are valid where they can be; the others are what validation has to refuse. */
export const sorts = ['different', 'equal', 'empty', 'null']

export class Items {
  #schemas

  constructor(schemas) {
    this.#schemas = schemas
  }

  resolved(schema) {
    if (schema?.$ref) return this.resolved(this.#schemas[schema.$ref.split('/').pop()])
    if (schema?.allOf) return { ...schema, ...this.resolved(schema.allOf[0]) }
    return schema ?? {}
  }

  /**
   * The lists and maps of a schema, as paths; `0` and `k` stand for an item of a list and of a map. `seen` holds the fields of types that
   * were visited before, which are left out.
   */
  *places(schema, seen, path = [], around = []) {
    const { type, items, additionalProperties, properties, description } = this.resolved(schema)
    if (path.length > 9 || (properties && around.includes(description))) return
    const within = properties ? [...around, description] : around
    if (type === 'array') {
      yield { path, isList: true, item: items }
      yield* this.places(items, seen, [...path, 0], within)
    } else if (additionalProperties) {
      yield { path, isList: false, item: additionalProperties }
      yield* this.places(additionalProperties, seen, [...path, 'k'], within)
    } else
      for (const [name, value] of Object.entries(properties ?? {})) {
        if (path.length === 0 && name === 'status') continue
        const field = `${description} ${name}`
        if (seen?.has(field)) continue
        seen?.add(field)
        yield* this.places(value, seen, [...path, name], within)
      }
  }

  /** The object with `count` items of a sort at a place. */
  filled(base, root, { path, isList, item }, sort, count) {
    const object = structuredClone(base)
    let at = object
    let schema = root
    for (const step of path.slice(0, -1)) {
      const { items, properties, additionalProperties } = this.resolved(schema)
      schema = typeof step === 'number' ? items : (properties?.[step] ?? additionalProperties)
      if (at[step] === null || typeof at[step] !== 'object') {
        const { type, properties } = this.resolved(schema)
        at[step] = type === 'array' ? [] : properties ? this.#made(schema, 0, String(step)) : {}
      }
      at = at[step]
    }
    const last = path.at(-1)
    const known = isList && Array.isArray(at[last]) ? at[last][0] : undefined
    const values = Array.from({ length: count }, (_, i) => this.#item(item, known, sort, i, String(last)))
    at[last] = isList ? values : Object.fromEntries(values.map((value, i) => [`k${i}`, value]))
    return object
  }

  #item(schema, known, sort, i, name) {
    if (sort === 'null') return null
    if (sort === 'empty') return emptyOf(this.resolved(schema))
    const number = sort === 'different' ? i : 0
    return known && typeof known === 'object' ? varied(known, number) : this.#made(schema, number, name)
  }

  #made(schema, number, name, depth = 0) {
    const { type, format, properties, required = [], items, oneOf } = this.resolved(schema)
    if (type === 'integer' || type === 'number' || oneOf) return number + 1
    if (type === 'boolean') return true
    if (type === 'array') return depth > 3 ? [] : [this.#made(items, number, name, depth + 1)]
    if (type === 'string') return textFor(name, format, number)
    const isTold = ([key, value]) =>
      required.includes(key) ||
      (depth < 1 &&
        /name|key|port|path|value|operator|effect|uid|kind|version/i.test(key) &&
        /string|integer/.test(this.resolved(value).type))
    const told = Object.entries(properties ?? {}).filter(isTold)
    return Object.fromEntries(told.map(([key, value]) => [key, this.#made(value, number, key, depth + 1)]))
  }
}

function emptyOf({ type }) {
  if (type === 'string') return ''
  if (type === 'integer' || type === 'number') return 0
  if (type === 'boolean') return false
  return type === 'array' ? [] : {}
}

/** An item like one that is known to be valid. */
function varied(item, number) {
  if (number === 0 || item === null || typeof item !== 'object') return item
  if (Array.isArray(item)) return item.map(each => varied(each, number))
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => {
      if (typeof value === 'string' && /^(name|key|uid)$|path/i.test(key)) return [key, value + number]
      if (typeof value === 'number' && /^(port|containerPort|hostPort|index)$/.test(key)) return [key, 1 + (number % 65000)]
      return [key, varied(value, number)]
    })
  )
}

function textFor(name, format, number) {
  if (format === 'date-time') return '2020-01-01T00:00:00Z'
  if (format === 'byte') return 'YQ=='
  if (/path/i.test(name)) return `/a${number}`
  if (/ip$/i.test(name)) return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  return `a${number}`
}

/** The same items in the other order, and one of them gone. */
export function otherOrder(object, { path, isList }) {
  const changed = structuredClone(object)
  let at = changed
  for (const step of path.slice(0, -1)) at = at[step]
  const last = path.at(-1)
  if (isList) at[last] = at[last].reverse().slice(1)
  else at[last] = Object.fromEntries(Object.entries(at[last]).reverse().slice(1))
  return changed
}
