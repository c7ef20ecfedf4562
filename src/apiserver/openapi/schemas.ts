/** Writes types of the schema model as OpenAPI schemas, v2 and v3. */
import type { Schema } from '../../apimachinery/schema/load.js'
import type { Field, StructType, Type } from '../../apimachinery/schema/model.js'
import type { Descriptions } from './descriptions.js'
import { openApiName, patchName, scalarNames } from './type-names.js'

type Json = Record<string, unknown>

export interface Dialect {
  /** "#/components/schemas/" or "#/definitions/" */
  readonly refPrefix: string
  /** v3 writes defaults, and wraps a reference that has other fields beside it. */
  readonly v3: boolean
}

export const v3: Dialect = { refPrefix: '#/components/schemas/', v3: true }
export const v2: Dialect = { refPrefix: '#/definitions/', v3: false }

const anyOfInt: Json = { oneOf: [{ type: 'integer' }, { type: 'string' }] }

/** The schemas of scalars that are types of their own. */
const scalarSchemas: Readonly<Record<string, (dialect: Dialect) => Json>> = {
  [scalarNames.quantity!]: d => (d.v3 ? { oneOf: [{ type: 'string' }, { type: 'number' }] } : { type: 'string' }),
  [scalarNames.time!]: () => ({ type: 'string', format: 'date-time' }),
  [scalarNames.microTime!]: () => ({ type: 'string', format: 'date-time' }),
  [scalarNames.fieldsV1!]: () => ({ type: 'object' }),
  [scalarNames.intOrString!]: d =>
    d.v3 ? { format: 'int-or-string', ...anyOfInt } : { type: 'string', format: 'int-or-string' },
  [scalarNames.raw!]: () => ({ type: 'object' }),
  [patchName]: () => ({ type: 'object' }),
  [scalarNames.json!]: () => ({}),
  [scalarNames.schemaOrArray!]: () => ({}),
  [scalarNames.schemaOrBool!]: () => ({}),
  [scalarNames.schemaOrStringArray!]: () => ({})
}

const known = new WeakMap<Schema, ReadonlyMap<string, string>>()

/** Returns the names in the schema by their OpenAPI names. There is a writer for each group version, and only one schema. */
function shortNames(schema: Schema): ReadonlyMap<string, string> {
  let names = known.get(schema)
  if (!names) known.set(schema, (names = new Map(schema.names().map(name => [openApiName(name), name]))))
  return names
}

/** Makes the schemas of types, and of the types to which they refer. */
export class SchemaWriter {
  readonly #schema: Schema
  readonly #dialect: Dialect
  readonly #descriptions: Descriptions
  readonly #short: ReadonlyMap<string, string>

  constructor(schema: Schema, dialect: Dialect, descriptions: Descriptions) {
    this.#schema = schema
    this.#dialect = dialect
    this.#descriptions = descriptions
    this.#short = shortNames(schema)
  }

  /** Returns the schemas of these types, the known ones, and all to which they refer, by OpenAPI name in alphabetical order. */
  closure(names: Iterable<string>, known: Readonly<Record<string, Json>> = {}): Record<string, Json> {
    const done = new Map(Object.entries(known))
    const waiting = [...names]
    for (const schema of done.values()) collectRefs(schema, ref => void waiting.push(ref))
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (done.has(name)) continue
      const schema = this.#schemaOf(name)
      done.set(name, schema)
      collectRefs(schema, ref => void waiting.push(ref))
    }
    return Object.fromEntries([...done].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #schemaOf(name: string): Json {
    const description = this.#descriptions.type(name)
    const scalar = scalarSchemas[name]
    if (scalar) return { ...description, ...scalar(this.#dialect) }
    const short = this.#short.get(name)
    if (!short) throw new Error(`no such type: ${name}`)
    return { ...description, ...this.#struct(this.#schema.type(short), name) }
  }

  #struct(type: StructType, name: string): Json {
    const properties: Json = {}
    for (const field of [...type.fields].sort((a, b) => (a.name < b.name ? -1 : 1)))
      properties[field.name] = this.#field(field, this.#descriptions.field(name, field.name))
    return {
      type: 'object',
      ...(type.required.length > 0 ? { required: type.required } : {}),
      ...(type.fields.length > 0 ? { properties } : {}),
      ...(type.gvks.length > 0 ? { 'x-kubernetes-group-version-kind': type.gvks } : {}),
      ...(type.mapType ? { 'x-kubernetes-map-type': type.mapType } : {}),
      ...(type.unions ? { 'x-kubernetes-unions': type.unions } : {})
    }
  }

  #field(field: Field, description: Json): Json {
    const extensions: Json = {}
    if (field.listMapKeys) extensions['x-kubernetes-list-map-keys'] = field.listMapKeys
    if (field.listType) extensions['x-kubernetes-list-type'] = field.listType
    if (field.mapType) extensions['x-kubernetes-map-type'] = field.mapType
    if (field.patchMergeKey) extensions['x-kubernetes-patch-merge-key'] = field.patchMergeKey
    if (field.patchStrategy) extensions['x-kubernetes-patch-strategy'] = field.patchStrategy.join(',')
    const value = this.#type(field.type)
    if (field.enum && this.#descriptions.enums)
      Object.assign(
        field.type.kind === 'list'
          ? (value.items as Json)
          : field.type.kind === 'map'
            ? (value.additionalProperties as Json)
            : value,
        { enum: field.enum }
      )
    if (!this.#dialect.v3) return { ...description, ...value, ...extensions }
    const fallback = defaultOf(field)
    const rest = { ...description, ...(fallback === undefined ? {} : { default: fallback }), ...extensions }
    // a reference cannot have other fields beside it
    return value.$ref && Object.keys(rest).length > 0 ? { ...rest, allOf: [value] } : { ...rest, ...value }
  }

  #type(type: Type): Json {
    switch (type.kind) {
      case 'list':
        return { type: 'array', items: this.#type(type.items) }
      case 'map':
        return { type: 'object', additionalProperties: this.#type(type.values) }
      case 'struct':
        return { $ref: this.#dialect.refPrefix + openApiName(type.name) }
      case 'scalar':
        return this.#scalar(type.scalar)
    }
  }

  #scalar(scalar: string): Json {
    const named = scalarNames[scalar]
    if (named) return { $ref: this.#dialect.refPrefix + named }
    switch (scalar) {
      case 'bool':
        return { type: 'boolean' }
      case 'int32':
      case 'int64':
        return { type: 'integer', format: scalar }
      case 'double':
        return { type: 'number', format: 'double' }
      case 'bytes':
        return { type: 'string', format: 'byte' }
      default:
        return { type: 'string' }
    }
  }
}

/** Returns the default for v3: the declared one, or the zero value of a field that Go always writes. */
function defaultOf({ type, default: declared, pointer, presence }: Field): unknown {
  if (declared !== undefined) return declared
  if (pointer) return undefined
  if (type.kind === 'struct') return {}
  if (type.kind !== 'scalar' || presence !== 'always') return undefined
  return zeroValues[type.scalar]
}

const zeroValues: Readonly<Record<string, unknown>> = { string: '', int32: 0, int64: 0, double: 0, bool: false }

function collectRefs(value: unknown, found: (name: string) => void): void {
  if (value === null || typeof value !== 'object') return
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string') found(child.slice(child.lastIndexOf('/') + 1))
    else collectRefs(child, found)
  }
}
