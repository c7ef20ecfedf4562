/**
 * Decodes CBOR into the document of a type: what `decode` of apimachinery/schema/decode.ts takes, as if it had come as JSON. Unlike JSON, CBOR says
 * of each value what it is, so that values of wrong types are found here, with Go's words for them.
 */

import { setKey } from '../../../util/json.js'
import { loadSchema } from '../../schema/load.js'
import type { Field, ScalarType, StructType, Type } from '../../schema/model.js'
import { decodeScalar, ScalarError } from '../../schema/scalars.js'
import { CborError, major, typeNames } from './cursor.js'
import { CborMismatch, duplicateKey, Reader } from './read.js'

export interface TypedDocument {
  readonly document: Record<string, unknown>
  /** The strict decoder's message, which names one field only: `cbor: found unknown field at map element index 3`. */
  readonly unknownField: string | undefined
}

/** Decodes well-formed CBOR. Throws CborError. */
export function readTyped(type: StructType, bytes: Buffer): TypedDocument {
  const reader = new TypedReader(bytes)
  const document = (reader.value(type) ?? {}) as Record<string, unknown>
  const { unknownAt } = reader
  return {
    document,
    unknownField: unknownAt === undefined ? undefined : `cbor: found unknown field at map element index ${unknownAt}`
  }
}

const stringType = (name: string, pointer = false): Field => ({
  name,
  type: { kind: 'scalar', scalar: 'string', go: 'string' },
  presence: 'never',
  pointer,
  required: false,
  proto: [],
  goName: name
})
const identityFields = [stringType('kind'), stringType('apiVersion')]
const typeMeta: StructType = {
  kind: 'struct',
  name: 'meta.v1.TypeMeta',
  go: 'v1.TypeMeta',
  fields: identityFields,
  byName: new Map(identityFields.map(field => [field.name, field])),
  required: [],
  gvks: []
}

/** Reads the kind and apiVersion of an object. Other fields may be anything. */
export function readIdentity(bytes: Buffer): { kind?: string; apiVersion?: string } {
  return readTyped(typeMeta, bytes).document
}

const whole: Readonly<Record<string, readonly [min: number, max: number]>> = {
  int32: [-2147483648, 2147483647],
  int64: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
}

class TypedReader extends Reader {
  /** The index of the unknown field that Go's strict decoder would report. */
  unknownAt: number | undefined
  /** How many structs are open at present. */
  #depth = 0

  value(type: Type, isPointer = false): unknown {
    if (isPointer && this.cursor.isNullNext) {
      this.cursor.readHead()
      return null
    }
    if (type.kind === 'scalar' && ownReader.has(type.scalar)) return this.#scalarOfItsOwn(type)
    return this.tagged(() => {
      const { nextType } = this.cursor
      if (type.kind === 'scalar') return this.#scalar(type)
      if (type.kind === 'list') return nextType === major.list ? this.#list(type.items) : this.mismatched(type.go)
      if (nextType === major.map) return type.kind === 'map' ? this.#map(type.values) : this.#struct(type)
      const why =
        nextType === major.list && type.kind === 'struct'
          ? 'cannot decode CBOR array to struct without toarray option'
          : undefined
      return this.mismatched(type.go, why)
    })
  }

  #list(items: Type): unknown[] {
    const list: unknown[] = []
    this.items(() => list.push(this.#first(() => this.value(items))))
    return list
  }

  #map(values: Type): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.items(index => {
      const key = this.string('string')
      const value = this.#first(() => this.value(values))
      if (Object.hasOwn(object, key)) throw duplicateKey(key, index)
      setKey(object, key, value)
    })
    return object
  }

  #struct(type: StructType): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    const seen = new Set<string | number | bigint>()
    const before = this.unknownAt
    let own: number | undefined
    this.unknownAt = undefined
    this.#depth++
    this.items(index => {
      const key = this.#fieldName()
      const field = typeof key === 'string' ? type.byName.get(key) : undefined
      if (seen.has(key)) throw typeof key === 'string' ? duplicateKey(key, index) : duplicateNumber(key, index)
      seen.add(key)
      if (!field) {
        own ??= index
        return this.cursor.skip()
      }
      object[field.name] = this.#first(() => this.#field(type, field))
    })
    this.#depth--
    // the strict decoder goes on after an unknown field in a field, but not after one of its own
    this.unknownAt = before ?? own ?? this.unknownAt
    return object
  }

  /** Reads a field. Errors name the outermost one. */
  #field(type: StructType, field: Field): unknown {
    if (this.#depth > 1) return this.value(field.type, field.pointer)
    try {
      return this.value(field.type, field.pointer)
    } catch (error) {
      throw error instanceof CborMismatch ? error.in(`${type.go}.${field.name}`) : error
    }
  }

  /** Runs `read`. Of several unknown fields in the parts of a whole, the first one counts. */
  #first<T>(read: () => T): T {
    const before = this.unknownAt
    const value = read()
    this.unknownAt = before ?? this.unknownAt
    return value
  }

  #fieldName(): string | number | bigint {
    const { cursor } = this
    const { nextType } = cursor
    if (nextType === major.text) return this.text()
    if (nextType === major.bytes) return this.byteString().toString()
    if (nextType === major.unsigned || nextType === major.negative) return this.integer('int64')
    throw new CborMismatch(
      nextType,
      'string',
      `map key is of type ${typeNames[nextType]} and cannot be used to match struct field name`
    )
  }

  #scalar({ scalar, go }: ScalarType): unknown {
    const { nextType } = this.cursor
    switch (scalar) {
      case 'string':
        return this.string(go)
      case 'int32':
      case 'int64':
        if (nextType === major.unsigned || nextType === major.negative) return this.#integerWithin(scalar, go)
        break
      case 'double':
        if (nextType === major.unsigned || nextType === major.negative) return Number(this.integer(go))
        if (this.#isFloatNext) return this.simple()
        break
      case 'bool':
        if (this.#isBoolNext) return this.simple()
        break
      case 'bytes':
        if (nextType === major.bytes) return this.#bytes()
        if (nextType === major.list) return this.#list({ kind: 'scalar', scalar: 'int32', go: 'uint8' })
        break
    }
    return this.mismatched(go)
  }

  #integerWithin(scalar: string, go: string): number | bigint {
    const type = this.cursor.nextType
    const value = this.integer(go)
    const [min, max] = whole[scalar]!
    if (value < min || value > max) throw new CborMismatch(type, go, `${value} overflows ${go}`)
    return value
  }

  protected override beyond(type: number, go: string): string {
    return type === major.unsigned ? go : super.beyond(type, go)
  }

  get #isFloatNext(): boolean {
    const next = this.cursor.bytes[this.cursor.at]!
    return next >= 0xf9 && next <= 0xfb
  }

  get #isBoolNext(): boolean {
    const next = this.cursor.bytes[this.cursor.at]!
    return next === 0xf4 || next === 0xf5
  }

  /** Reads bytes. Without a tag, a byte string contains the base64 that JSON would have. */
  #bytes(): string {
    const bytes = this.byteString()
    if (this.bytesAs) return bytes.toString('base64')
    try {
      return decodeScalar({ kind: 'scalar', scalar: 'bytes', go: '[]uint8' }, bytes.toString()) as string
    } catch (error) {
      if (!(error instanceof ScalarError)) throw error
      throw new CborError(`cbor: failed to decode base64 from byte string: ${error.message}`)
    }
  }

  /** Reads a value whose Go type has a reader of its own, for which tags around the value do not matter. */
  #scalarOfItsOwn({ scalar }: ScalarType): unknown {
    const { bytesAs } = this
    this.bytesAs = undefined
    const value = this.#ownScalar(scalar)
    this.bytesAs = bytesAs
    return value
  }

  #ownScalar(scalar: ScalarType['scalar']): unknown {
    const { cursor } = this
    switch (scalar) {
      case 'quantity':
      case 'time':
      case 'microTime':
      case 'duration':
        if (!cursor.isNullNext) return this.string('string')
        cursor.readHead()
        return null
      case 'intOrString':
        return this.tagged(() => {
          const { nextType } = cursor
          if (nextType === major.text || nextType === major.bytes) return this.string('string')
          return nextType === major.unsigned || nextType === major.negative
            ? this.#integerWithin('int32', 'int32')
            : this.mismatched('int32')
        })
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray': {
        const schema = loadSchema().type('apiextensions.v1.JSONSchemaProps')
        if (cursor.nextType === major.map) return this.value(schema)
        if (cursor.nextType === major.list && scalar === 'schemaOrArray') return this.#list(schema)
        return this.any()
      }
      case 'raw':
        return inside('failed to transcode RawExtension to JSON: failed to parse RawExtension bytes as CBOR', () => this.any())
      case 'fieldsV1':
        if (cursor.isNullNext) return this.any()
        return inside('failed to transcode FieldsV1 to JSON: metav1.FieldsV1 cbor invalid', () => this.map())
      default:
        return this.any()
    }
  }
}

/** Runs `run`: kube-apiserver turns some values into JSON, which may fail, and does not name the place of the value. */
function inside<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CborError ? new CborError(`${what}: ${error.message}`) : error
  }
}

const ownReader: ReadonlySet<string> = new Set([
  'quantity',
  'time',
  'microTime',
  'duration',
  'intOrString',
  'raw',
  'json',
  'fieldsV1',
  'schemaOrArray',
  'schemaOrBool',
  'schemaOrStringArray'
])

const duplicateNumber = (key: number | bigint, index: number) =>
  new CborError(`cbor: found duplicate map key ${key} at map element index ${index}`)
