/** Values that are scalars in JSON and messages in Protobuf. */
import type { Scalar, StructType } from '../../schema/model.js'
import { loadSchema } from '../../schema/load.js'
import { decode } from '../../schema/decode.js'
import { listOf, type MessageField, messageType, scalarType } from './message-type.js'
import { ProtobufError } from './reader.js'

export interface WrappedScalar {
  readonly message: StructType
  /** The message's fields; undefined for a message with none. A missing value is the type's zero. */
  wrap(value: any): Record<string, unknown> | undefined
  /** The JSON value. What it holds is not checked beyond what JSON can say. */
  unwrap(message: any): unknown
}

const string = scalarType('string')
const timestamp = messageType('Timestamp', { seconds: { number: 1, type: scalarType('int64') }, nanos: { number: 2, type: scalarType('int32') } })

function isoSeconds(seconds: number): string {
  const date = new Date(seconds * 1000)
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]')
  return date.toISOString().slice(0, 19)
}

const time: WrappedScalar = {
  message: timestamp,
  wrap: value => (value ? { seconds: Date.parse(value) / 1000, nanos: 0 } : undefined),
  unwrap: ({ seconds, nanos }) => (seconds === undefined && nanos === undefined ? null : `${isoSeconds(seconds ?? 0)}Z`)
}

const microTime: WrappedScalar = {
  message: timestamp,
  wrap: (value: string | null | undefined) => (value ? { seconds: Date.parse(`${value.slice(0, 19)}Z`) / 1000, nanos: Number(value.slice(20, 26)) * 1000 } : undefined),
  unwrap({ seconds, nanos }) {
    if (seconds === undefined && nanos === undefined) return null
    const micros = Math.trunc((nanos ?? 0) / 1000)
    const whole = Math.floor(micros / 1e6)
    return `${isoSeconds((seconds ?? 0) + whole)}.${String(micros - whole * 1e6).padStart(6, '0')}Z`
  }
}

const quantity: WrappedScalar = {
  message: messageType('Quantity', { string: { number: 1, type: string, go: 'String_' } }),
  wrap: value => ({ string: value ?? '0' }),
  unwrap: message => message.string ?? '0'
}

const intOrString: WrappedScalar = {
  message: messageType('IntOrString', {
    type: { number: 1, type: scalarType('int64') },
    intVal: { number: 2, type: scalarType('int32') },
    strVal: { number: 3, type: string }
  }),
  wrap: value => (typeof value === 'string' ? { type: 1, strVal: value } : { intVal: value ?? 0 }),
  unwrap({ type = 0, intVal = 0, strVal = '' }) {
    if (type !== 0 && type !== 1) throw new ProtobufError('impossible IntOrString.Type')
    return type === 0 ? intVal : strVal
  }
}

/** JSON as text in a field of bytes. */
function embeddedJson(name: string): WrappedScalar {
  return {
    message: messageType(name, { raw: { number: 1, type: string, optional: true } }),
    wrap: value => (value === null || value === undefined ? undefined : { raw: JSON.stringify(value) }),
    unwrap({ raw = '' }) {
      try {
        return raw === '' ? null : JSON.parse(raw)
      } catch {
        throw new ProtobufError(`json: error calling MarshalJSON for type ${name}: the value is no JSON`)
      }
    }
  }
}

const isList = Array.isArray

/** A JSON schema, or something else in its place. Kept as it came, so the schema takes its typed form here. */
function schemaOr(name: string, others: Readonly<Record<string, MessageField>>, schemaNumber: number, wrapOther: (value: any) => Record<string, unknown>, unwrapOther: (message: any) => unknown): WrappedScalar {
  const type = loadSchema().type('apiextensions.v1.JSONSchemaProps')
  return {
    message: messageType(name, { schema: { number: schemaNumber, type, optional: true }, ...others }),
    wrap(value) {
      if (value === null || value === undefined) return {}
      if (typeof value !== 'object' || isList(value)) return wrapOther(value)
      return { ...wrapOther(undefined), schema: decode(type, value).object }
    },
    unwrap: message => message.schema ?? unwrapOther(message)
  }
}

const makers: { readonly [name in Scalar]?: () => WrappedScalar } = {
  time: () => time,
  microTime: () => microTime,
  quantity: () => quantity,
  intOrString: () => intOrString,
  raw: () => embeddedJson('RawExtension'),
  json: () => embeddedJson('JSON'),
  fieldsV1: () => embeddedJson('FieldsV1'),
  schemaOrBool: () =>
    schemaOr('JSONSchemaPropsOrBool', { allows: { number: 1, type: scalarType('bool') } }, 2, value => ({ allows: value !== false }), ({ allows }) => allows === true),
  schemaOrArray() {
    const schemas = listOf(loadSchema().type('apiextensions.v1.JSONSchemaProps'))
    return schemaOr('JSONSchemaPropsOrArray', { jSONSchemas: { number: 2, type: schemas } }, 1, value => (value ? { jSONSchemas: decodeAll(value) } : {}), m => m.jSONSchemas ?? null)
  },
  schemaOrStringArray: () =>
    schemaOr('JSONSchemaPropsOrStringArray', { property: { number: 2, type: listOf(string) } }, 1, value => (value ? { property: value } : {}), m => m.property ?? null)
}

function decodeAll(schemas: readonly unknown[]): unknown[] {
  const type = loadSchema().type('apiextensions.v1.JSONSchemaProps')
  return schemas.map(schema => decode(type, schema ?? {}).object)
}

const made = new Map<Scalar, WrappedScalar | undefined>()

/** How a scalar is wrapped; undefined for those that Protobuf has itself. */
export function wrappedScalar(scalar: Scalar): WrappedScalar | undefined {
  if (!made.has(scalar)) made.set(scalar, makers[scalar]?.())
  return made.get(scalar)
}
