/**
 * Makes the JSON Schemas of libraries what definitions take: structural schemas (OpenAPI 3.0 without references and unions of types).
 */
import { isMap } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import type { JsonSchema } from './schema-types.js'
import type { StandardSchema } from './standard-schema.js'

type Schema = Record<string, unknown>

/** Keywords that say nothing about values, or nothing that definitions could keep. */
const dropped = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  'definitions',
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'unevaluatedProperties',
  'static',
  'params'
])
/** Keywords that no structural schema can express. */
const refused = [
  'prefixItems',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'contains',
  'minContains',
  'maxContains',
  'unevaluatedItems',
  'additionalItems',
  '$dynamicRef',
  '$recursiveRef'
]
const anything = 'x-kubernetes-preserve-unknown-fields'
const intOrString = 'x-kubernetes-int-or-string'

/** More schemas than these in one are references that multiply. */
const maxSchemas = 100_000

/** What the schemas below one another share. */
interface Walk {
  readonly root: Schema
  readonly count: { schemas: number }
  /** The references that are being followed. */
  readonly following: readonly string[]
}

const wrong = (path: string, why: string) => new UserError(`the schema of ${path || 'the object'} cannot be served: ${why}`)
const below = (path: string, field: string) => (path === '' ? field : `${path}.${field}`)
const isStandard = (value: unknown): value is StandardSchema =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value

/**
 * Returns the schema of a CustomResourceDefinition for a JSON Schema, or for a schema of a library that implements Standard JSON Schema.
 * References are replaced by what they refer to, `type: [x, 'null']` becomes `nullable`, `const` an enum, a union of literals an enum.
 * Throws a UserError that names the path for what definitions cannot express. A structural schema stays as it is.
 *
 * @example
 * const schema = structuralSchema(z.object({ spec: z.object({ seats: z.int() }) }))
 * const older = structuralSchema(z.toJSONSchema(course))
 */
export function structuralSchema(schema: object): JsonSchema {
  const json = isStandard(schema) ? jsonOf(schema) : schema
  if (!isMap(json)) throw wrong('', 'it is no object')
  const walk: Walk = { root: json, count: { schemas: 0 }, following: [] }
  return Object.keys(json).length === 0 ? json : convert(json, '', walk)
}

function jsonOf(schema: StandardSchema): unknown {
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema) return jsonSchema.input({ target: 'draft-2020-12' })
  const remedy = 'pass what the library makes of it, such as z.toJSONSchema(schema)'
  throw new UserError(`the schema of ${vendor} does not implement Standard JSON Schema: ${remedy}`)
}

function convert(given: unknown, path: string, walk: Walk): Schema {
  if (++walk.count.schemas > maxSchemas) throw wrong(path, `it has more than ${maxSchemas} schemas in it`)
  if (given === true || (isMap(given) && Object.keys(given).every(keyword => dropped.has(keyword)))) return { [anything]: true }
  if (!isMap(given)) throw wrong(path, given === false ? 'false allows no value' : 'it is no object')
  if (given.$ref !== undefined) return convert(...followed(given, path, walk))
  const keyword = refused.find(each => given[each] !== undefined)
  if (keyword !== undefined) throw wrong(path, `definitions have no ${keyword}`)
  const schema: Schema = Object.fromEntries(Object.entries(given).filter(([name]) => !dropped.has(name)))
  literal(schema)
  union(schema, path, walk)
  types(schema, path)
  // where null is one of the types, an enum allows it
  if (schema.nullable === true && given.nullable !== true && Array.isArray(schema.enum) && !schema.enum.includes(null))
    schema.enum = [...schema.enum, null]
  bounds(schema)
  if (schema.items !== undefined) schema.items = convert(schema.items, `${path}[]`, walk)
  else if (schema.type === 'array') schema.items = { [anything]: true }
  fields(schema, path, walk)
  return schema
}

/** The arguments of `convert` for what a reference refers to. */
function followed(given: Schema, path: string, walk: Walk): [unknown, string, Walk] {
  const { root, following } = walk
  const { $ref, ...others } = given
  if (typeof $ref !== 'string' || !$ref.startsWith('#'))
    throw wrong(path, `the reference ${JSON.stringify($ref)} leads elsewhere`)
  if (following.includes($ref)) throw wrong(path, `the reference ${$ref} leads to itself, and definitions have no recursion`)
  let target: unknown = root
  for (const part of $ref.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    target = isMap(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
  if (!isMap(target)) throw wrong(path, `nothing is at ${$ref}`)
  return [{ ...target, ...others }, path, { ...walk, following: [...following, $ref] }]
}

/** `const` is an enum of one value. */
function literal(schema: Schema): void {
  if (!('const' in schema)) return
  const { const: value } = schema
  delete schema.const
  if (value === null) schema.type = 'null'
  else {
    schema.enum = [value]
    schema.type ??= typeof value
  }
}

/** Unions that definitions can say in another way: of literals, of integer and string, of null and something. */
function union(schema: Schema, path: string, walk: Walk): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword]
    if (!Array.isArray(branches) || !branches.every(isMap)) continue
    const isNull = (branch: Schema) => branch.type === 'null' || ('const' in branch && branch.const === null)
    const others = branches.filter(branch => !isNull(branch))
    const types = new Set(others.map(branch => branch.type))
    // branches that only add conditions, as structural schemas have them
    if (
      others.length === branches.length &&
      others.every(branch => branch.type === undefined && !('const' in branch) && !('$ref' in branch))
    )
      continue
    // the form in which definitions write intOrString
    if (schema[intOrString] === true) continue
    delete schema[keyword]
    if (others.length < branches.length) schema.nullable = true
    if (others.length === 1) {
      const { nullable = schema.nullable, ...only } = convert(others[0], path, walk)
      Object.assign(schema, only, nullable === undefined ? {} : { nullable })
    } else if (others.every(branch => 'const' in branch || Array.isArray(branch.enum))) {
      const values = others.flatMap(branch => ('const' in branch ? [branch.const] : (branch.enum as unknown[])))
      const kinds = new Set(values.map(value => typeof value))
      if (kinds.size > 1) throw wrong(path, 'its literals are of several types')
      schema.enum = values
      schema.type = [...kinds][0]
    } else if (isIntOrString(types)) schema[intOrString] = true
    else throw wrong(path, `definitions have no unions of several types (${keyword})`)
  }
}

/** The only two types that a field may have. Types of TypeScript know no integers. */
const isIntOrString = (types: ReadonlySet<unknown>): boolean =>
  types.size === 2 && types.has('string') && (types.has('integer') || types.has('number'))

function types(schema: Schema, path: string): void {
  if (Array.isArray(schema.type)) {
    const kinds = schema.type.filter(type => type !== 'null')
    if (kinds.length < schema.type.length) schema.nullable = true
    if (kinds.length === 1) schema.type = kinds[0]
    else if (isIntOrString(new Set(kinds))) {
      delete schema.type
      schema[intOrString] = true
    } else throw wrong(path, `definitions have one type, not ${kinds.join(', ')}`)
  }
  if (schema.type === 'null') throw wrong(path, 'definitions have no null alone')
  if (Array.isArray(schema.enum) && schema.type === undefined) {
    const kinds = new Set(schema.enum.filter(value => value !== null).map(value => typeof value))
    if (kinds.size === 1) schema.type = [...kinds][0]
  }
  if (schema.type === undefined && schema.properties !== undefined) schema.type = 'object'
}

/** Bounds that stand beside a number in OpenAPI 3.0. */
function bounds(schema: Schema): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum']
  ] as const)
    if (typeof schema[exclusive] === 'number') {
      schema[bound] = schema[exclusive]
      schema[exclusive] = true
    }
}

function fields(schema: Schema, path: string, walk: Walk): void {
  const { properties, patternProperties, propertyNames } = schema
  delete schema.propertyNames
  delete schema.patternProperties
  if (isMap(propertyNames) && Object.keys(propertyNames).some(keyword => keyword !== 'type' && !dropped.has(keyword)))
    throw wrong(path, 'definitions have no propertyNames')
  if (isMap(patternProperties)) {
    const patterns = Object.entries(patternProperties)
    if (patterns.length !== 1 || !/^\^(\(\.\*\)|\.\*)\$$/.test(patterns[0]![0]))
      throw wrong(path, 'definitions have no patternProperties')
    schema.additionalProperties = patterns[0]![1]
  }
  if (isMap(properties))
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, convert(value, below(path, name), walk)])
    )
  const { additionalProperties } = schema
  if (additionalProperties === undefined) return
  // what no field names is pruned
  if (additionalProperties === false) delete schema.additionalProperties
  else {
    const values = convert(additionalProperties, below(path, '*'), walk)
    const isAny = values[anything] === true && values.type === undefined
    if (!isAny && isMap(schema.properties) && Object.keys(schema.properties).length > 0)
      throw wrong(path, 'definitions have either properties or additionalProperties')
    delete schema.additionalProperties
    if (isAny) schema[anything] = true
    else {
      delete schema.properties
      schema.additionalProperties = values
    }
  }
}
