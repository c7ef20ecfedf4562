/** Walks a schema: every field of a kind, each in an object that has what the field needs around it. */
import { typeOf } from './examples.mjs'

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * Yields { path, schemas, parent, schema, object, grafted } for each field below `from`. `path` has the keys and indexes that lead to the field, `schemas`
 * the schema at each step, `object` is the whole object with an example in the field, and `grafted` says whether the base lacked it.
 */
export function* visitsOf({ schema, follow, base, examples, from = [] }) {
  let start = schema
  let object = base
  const schemas = []
  for (const key of from) {
    schemas.push(start)
    object = withField(object, from.slice(0, schemas.length), start, examples)
    start = follow(start).properties[key]
  }
  schemas.push(start)
  yield* below({ follow, examples }, { object, path: from, schemas, grafted: object !== base, stack: [] })
}

function* below(context, { object, path, schemas, grafted, stack }) {
  const { follow, examples } = context
  const schema = schemas.at(-1)
  const type = typeOf(schema)
  if (type !== undefined && stack.includes(type)) return
  const { properties, items, additionalProperties } = follow(schema)
  const inside = { stack: type === undefined ? stack : [...stack, type] }
  const value = at(object, path)
  if (properties) {
    for (const [key, inner] of Object.entries(properties)) {
      const to = [...path, key]
      const given = at(object, to) !== undefined
      const changed = given ? object : withField(object, to, schema, examples)
      const visit = { object: changed, path: to, schemas: [...schemas, inner], grafted: grafted || !given }
      yield { ...visit, parent: schema, schema: inner }
      yield* below(context, { ...visit, ...inside })
    }
  } else if (items && Array.isArray(value) && isObject(value[0]))
    yield* below(context, { object, path: [...path, 0], schemas: [...schemas, items], grafted, ...inside })
  else if (additionalProperties && isObject(value)) {
    const [key] = Object.keys(value)
    if (isObject(value[key]))
      yield* below(context, { object, path: [...path, key], schemas: [...schemas, additionalProperties], grafted, ...inside })
  }
}

/** A copy of the object with an example in the field; `parent` is the schema of what holds it. */
function withField(object, path, parent, examples) {
  if (at(object, path) !== undefined) return object
  const copy = structuredClone(object)
  examples.graft(at(copy, path.slice(0, -1)), parent, path.at(-1))
  return copy
}

export const at = (object, path) =>
  path.reduce(
    (value, key) => (value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? value[key] : undefined),
    object
  )

/** Puts a value into a copy of the object, or takes it away. Undefined where there is nothing to put it into. */
export function mutated(object, path, { value, remove }) {
  const copy = structuredClone(object)
  const parent = at(copy, path.slice(0, -1))
  if (parent === null || typeof parent !== 'object') return undefined
  if (remove) delete parent[path.at(-1)]
  else parent[path.at(-1)] = value
  return copy
}
