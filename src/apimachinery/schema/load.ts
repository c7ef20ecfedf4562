/** The built-in types, loaded from the generated table. The record letters are explained in scripts/generate/schema.mjs. */
import { readFileSync } from 'node:fs'
import type { Field, ListType, MapType, Scalar, ScalarType, StructType, Type } from './model.js'

interface FieldRecord {
  t: string
  go?: string
  p?: number | number[]
  n?: string
  i?: string
  a?: 1
  o?: 1
  r?: 1
  d?: unknown
  e?: string[]
  l?: 'atomic' | 'set' | 'map'
  k?: string[]
  m?: 'atomic' | 'granular'
  ps?: string
  pk?: string
}

interface TypeRecord {
  f: Record<string, FieldRecord>
  g?: [string, string, string][]
  m?: 'atomic' | 'granular'
  u?: unknown
  r?: string[]
}

const scalarGo: Record<Scalar, string> = {
  string: 'string',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bool: 'bool',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  fieldsV1: 'v1.FieldsV1',
  raw: 'runtime.RawExtension',
  json: 'v1.JSON',
  schemaOrArray: 'v1.JSONSchemaPropsOrArray',
  schemaOrBool: 'v1.JSONSchemaPropsOrBool',
  schemaOrStringArray: 'v1.JSONSchemaPropsOrStringArray'
}

/** Scalars that Go holds in a struct by value: `omitempty` never omits them, so they are written even when empty. */
const structScalars: ReadonlySet<string> = new Set<Scalar>([
  'quantity',
  'intOrString',
  'raw',
  'json',
  'schemaOrArray',
  'schemaOrBool',
  'schemaOrStringArray'
])

export class Schema {
  readonly #records: Record<string, TypeRecord>
  readonly #types = new Map<string, StructType>()

  constructor(records: Record<string, TypeRecord>) {
    this.#records = records
  }

  /** Short names of all types, such as "core.v1.Pod". */
  names(): string[] {
    return Object.keys(this.#records)
  }

  /** Returns a type by its short name. Types are created on first use: a server uses few of the 700. */
  type(name: string): StructType {
    const known = this.#types.get(name)
    if (known) return known
    if (!Object.hasOwn(this.#records, name)) throw new Error(`no such type: ${name}`)
    const type = new LazyStruct(name, this.#records[name]!, this)
    this.#types.set(name, type)
    return type
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#records, name)
  }
}

const noNames: readonly string[] = []

/** The fields that come from a Go struct which kinds embed. */
const ofTypeMeta: ReadonlySet<string> = new Set(['kind', 'apiVersion'])

/** A struct that resolves its fields on first use, which lets types refer to themselves. */
class LazyStruct implements StructType {
  readonly kind = 'struct'
  readonly name: string
  readonly go: string
  readonly required: readonly string[]
  readonly gvks: StructType['gvks']
  readonly mapType: StructType['mapType']
  readonly unions: unknown
  #fields: Field[] | undefined
  #byName: Map<string, Field> | undefined
  readonly #record: TypeRecord
  readonly #schema: Schema

  constructor(name: string, record: TypeRecord, schema: Schema) {
    this.name = name
    this.go = name.split('.').slice(-2).join('.')
    this.required = record.r ?? noNames
    this.gvks = (record.g ?? []).map(([group, version, kind]) => ({ group, version, kind }))
    this.mapType = record.m
    this.unions = record.u
    this.#record = record
    this.#schema = schema
  }

  get fields(): readonly Field[] {
    return (this.#fields ??= Object.entries(this.#record.f).map(([name, record]) =>
      fieldOf(name, this.gvks.length > 0 && ofTypeMeta.has(name) ? { ...record, i: 'TypeMeta' } : record, this.#schema)
    ))
  }

  get byName(): ReadonlyMap<string, Field> {
    return (this.#byName ??= new Map(this.fields.map(f => [f.name, f])))
  }
}

function fieldOf(name: string, record: FieldRecord, schema: Schema): Field {
  const type = typeOf(record.t, record.go, schema)
  const pointer = record.o === 1
  const byValue = !pointer && (type.kind === 'struct' || structScalars.has(record.t))
  return {
    name,
    type,
    presence: record.a === 1 || byValue ? 'always' : pointer ? 'present' : 'never',
    pointer,
    required: record.r === 1,
    default: record.d,
    enum: record.e,
    listType: record.l,
    listMapKeys: record.k,
    mapType: record.m,
    patchStrategy: record.ps?.split(',') as Field['patchStrategy'],
    patchMergeKey: record.pk,
    proto: record.p === undefined ? [] : Array.isArray(record.p) ? record.p : [record.p],
    embeddedIn: record.i?.split('.'),
    goName: record.n ?? name.charAt(0).toUpperCase() + name.slice(1)
  }
}

const scalarTypes = new Map<string, ScalarType>()

function typeOf(text: string, go: string | undefined, schema: Schema): Type {
  if (text.startsWith('[]'))
    return { kind: 'list', items: typeOf(text.slice(2), inner(go, /^\[\]/), schema), go: go ?? goOf(text) } satisfies ListType
  if (text.startsWith('{}')) {
    return {
      kind: 'map',
      values: typeOf(text.slice(2), inner(go, /^map\[[^\]]*\]/), schema),
      go: go ?? goOf(text)
    } satisfies MapType
  }
  if (Object.hasOwn(scalarGo, text)) {
    const name = go ?? scalarGo[text as Scalar]
    const key = `${text} ${name}`
    let type = scalarTypes.get(key)
    if (!type) scalarTypes.set(key, (type = { kind: 'scalar', scalar: text as Scalar, go: name }))
    return type
  }
  return schema.type(text)
}

/** The element's Go type, if the container's text spells it out. Named container types hide it. */
function inner(go: string | undefined, container: RegExp): string | undefined {
  if (!go || !container.test(go)) return undefined
  return go.replace(container, '').replace(/^\*/, '')
}

function goOf(text: string): string {
  if (text.startsWith('[]')) return `[]${goOf(text.slice(2))}`
  if (text.startsWith('{}')) return `map[string]${goOf(text.slice(2))}`
  return Object.hasOwn(scalarGo, text) ? scalarGo[text as Scalar] : text.split('.').slice(-2).join('.')
}

let loaded: Schema | undefined

/** Returns the built-in types. The table is immutable and read once per process. */
export function loadSchema(): Schema {
  return (loaded ??= new Schema(JSON.parse(readFileSync(new URL('./generated/types.json', import.meta.url), 'utf8'))))
}
