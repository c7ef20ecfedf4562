/** Translates the structural schema of a custom resource's version into the schema model that all types share. */

import { strictFindings } from '../apimachinery/formats/strict-fields.js'
import { DecodeError, decode } from '../apimachinery/schema/decode.js'
import { deduced } from '../apimachinery/schema/deduced.js'
import { forgetEmpties } from '../apimachinery/schema/given.js'
import { loadSchema } from '../apimachinery/schema/load.js'
import type { Field, MapType, ScalarType, StructType, Type } from '../apimachinery/schema/model.js'
import { UnknownFields } from '../apimachinery/schema/unknown-fields.js'
import { embeddedCoercer, embeddedDropper } from '../apimachinery/structural/embedded.js'
import { nullDropper } from '../apimachinery/structural/nulls.js'
import { pruner } from '../apimachinery/structural/prune.js'
import type { StructuralSchema } from '../apimachinery/structural/structural.js'
import { exactJson } from '../util/exact-json.js'
import { cloneJson, type JsonObject } from '../util/json.js'

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface CustomType extends StructType {
  /** Makes an object of this type from a document of another version. Drops fields that the schema does not have, and nulls that it does not allow. */
  coerce(document: JsonObject): JsonObject
  /** Does the same, and says whether it has dropped anything. */
  coerced(document: JsonObject): { readonly object: JsonObject; readonly isPartial: boolean }
  /** Does the same for a stored document, which may be older than the schema: also drops unreadable embedded metadata. */
  fromStore(document: JsonObject): JsonObject
}

export function customType(schema: StructuralSchema, { group, version, kind }: GroupVersionKind): CustomType {
  const prune = pruner(schema)
  const decoder = decoderOf(prune, embeddedCoercer(schema))
  const storeDecoder = decoderOf(prune, embeddedDropper(schema))
  const dropNulls = nullDropper(schema)
  const coerced = (document: JsonObject) => {
    const { object, unknown } = decoder(document)
    const hadNulls = dropNulls(object)
    return { object, isPartial: hadNulls || unknown.length > 0 }
  }
  const all = new Fields(resourceProperties(schema), schema.preserveUnknownFields)
  return {
    kind: 'struct',
    name: `${group}.${version}.${kind}`,
    go: 'unstructured.Unstructured',
    get fields() {
      return all.fields
    },
    get byName() {
      return all.byName
    },
    required: [],
    gvks: [{ group, version, kind }],
    rest: schema.preserveUnknownFields ? deduced : undefined,
    decoder,
    coerce: document => coerced(document).object,
    coerced,
    fromStore: document => storeDecoder(document).object
  }
}

/**
 * Makes a decoder of documents: metadata are decoded as ObjectMeta, the rest only loses the fields that the schema does not have.
 * The decoder sets no defaults and does not change its input. It throws a DecodeError.
 */
function decoderOf(
  prune: ReturnType<typeof pruner>,
  coerceEmbedded: ReturnType<typeof embeddedCoercer>
): NonNullable<StructType['decoder']> {
  return input => {
    const { metadata: given, ...rest } = input
    const unknown = new UnknownFields()
    const object = cloneJson(rest)
    object.metadata = decodeMetadata(given, unknown)
    prune(object, unknown)
    const problem = coerceEmbedded(object, unknown)
    if (problem) throw new DecodeError(`${problem.field}: ${problem.message}`)
    return { object, unknown: unknown.paths }
  }
}

function decodeMetadata(given: unknown, unknown: UnknownFields): JsonObject {
  const type = loadSchema().type('meta.v1.ObjectMeta')
  const { object, hasUnknown } = decode(type, given ?? {})
  if (hasUnknown) for (const { path } of strictFindings(exactJson(given), type)) unknown.add(`metadata.${path}`)
  // custom resources do not distinguish empty lists, such as managedFields, from missing ones
  forgetEmpties(object)
  return object
}

/** The properties of an object with those that every resource has: apiVersion, kind and metadata. */
function resourceProperties(schema: StructuralSchema): Map<string, Type | StructuralSchema> {
  const own: [string, Type | StructuralSchema][] = [...(schema.properties ?? [])]
  return new Map([...own, ['apiVersion', text], ['kind', text], ['metadata', loadSchema().type('meta.v1.ObjectMeta')]])
}

const text: ScalarType = { kind: 'scalar', scalar: 'string', go: 'string' }
const number: ScalarType = { kind: 'scalar', scalar: 'double', go: 'float64' }
const flag: ScalarType = { kind: 'scalar', scalar: 'bool', go: 'bool' }

/** An object whose keys the schema does not declare. */
const anyObject: MapType = { kind: 'map', go: 'map[string]interface {}', values: deduced }

const isType = (value: Type | StructuralSchema): value is Type => 'kind' in value

/**
 * The fields of a struct, made at first use because only the field manager reads them. `preserving` means that the schema or one
 * around it preserves unknown fields: for the field manager, all structs below do so, too.
 */
class Fields {
  readonly #properties: ReadonlyMap<string, Type | StructuralSchema>
  readonly #preserving: boolean
  #byName: Map<string, Field> | undefined

  constructor(properties: ReadonlyMap<string, Type | StructuralSchema>, preserving: boolean) {
    this.#properties = properties
    this.#preserving = preserving
  }

  get byName(): ReadonlyMap<string, Field> {
    if (!this.#byName) {
      this.#byName = new Map()
      for (const [name, property] of this.#properties)
        this.#byName.set(name, isType(property) ? plainField(name, property) : fieldOf(name, property, this.#preserving))
    }
    return this.#byName
  }

  get fields(): readonly Field[] {
    return [...this.byName.values()]
  }
}

const plainField = (name: string, type: Type): Field => ({
  name,
  type,
  presence: 'present',
  pointer: true,
  required: false,
  proto: [],
  goName: name
})

function fieldOf(name: string, schema: StructuralSchema, preserving: boolean): Field {
  const { default: fallback, nullable, listType, listMapKeys, mapType } = schema
  return {
    ...plainField(name, typeOf(schema, preserving)),
    ...(fallback === undefined ? {} : { default: fallback }),
    nullable,
    listType,
    listMapKeys,
    mapType
  }
}

function typeOf(schema: StructuralSchema, inherited: boolean): Type {
  const preserving = inherited || schema.preserveUnknownFields
  switch (schema.type) {
    case 'string':
      return text
    case 'integer':
    case 'number':
      return number
    case 'boolean':
      return flag
    case 'array': {
      if (!schema.items) return deduced
      const element = fieldOf('', schema.items, preserving)
      return { kind: 'list', items: element.type, element, go: '[]interface {}' }
    }
    case 'object':
      return objectType(schema, preserving)
    default:
      return deduced
  }
}

function objectType(schema: StructuralSchema, preserving: boolean): Type {
  const { additionalProperties: values, embeddedResource } = schema
  if (typeof values === 'object') {
    const element = fieldOf('', values, preserving)
    return { kind: 'map', values: element.type, element, go: 'map[string]interface {}' }
  }
  if (values === true || (!schema.properties && !embeddedResource)) return anyObject
  const properties = embeddedResource ? resourceProperties(schema) : schema.properties!
  const all = new Fields(properties, preserving)
  return {
    kind: 'struct',
    name: '',
    go: 'map[string]interface {}',
    get fields() {
      return all.fields
    },
    get byName() {
      return all.byName
    },
    required: [],
    gvks: [],
    rest: preserving ? deduced : undefined
  }
}
