/** Values that are scalars in JSON but messages in Protobuf. */

import { exactJson, parseExact } from '../../../util/exact-json.js'
import { isDeeperThan, maxJsonDepth } from '../../../util/json.js'
import { ProtobufError } from '../../../util/protobuf/reader.js'
import { decode } from '../../schema/decode.js'
import { loadSchema } from '../../schema/load.js'
import type { Scalar, StructType } from '../../schema/model.js'
import { listOf, type MessageField, messageType, scalarType } from './message-type.js'

export interface WrappedScalar {
  readonly message: StructType
  /** Returns the fields of the message; undefined for an empty message. A missing value is the type's zero. */
  wrap(value: any): Record<string, unknown> | undefined
  /** Returns the JSON value. Checks only that JSON can express the value. */
  unwrap(message: any): unknown
}

const string = scalarType('string')
const timestamp = messageType('Timestamp', {
  seconds: { number: 1, type: scalarType('int64') },
  nanos: { number: 2, type: scalarType('int32') }
})

function isoSeconds(seconds: number): string {
  const date = new Date(seconds * 1000)
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]')
  return date.toISOString().slice(0, 19)
}

/** Seconds since 1970 of a time as goSeconds writes it, with or without fractions. */
function secondsOf(text: string): number {
  const [, year = '', rest = ''] = /^(-?\d{4,})(-\d\d-\d\dT\d\d:\d\d:\d\d)/.exec(text) ?? []
  // what JavaScript reads has four digits, or a sign and six
  const readable = year.length === 4 ? year : `${year[0] === '-' ? '-' : '+'}${year.replace('-', '').padStart(6, '0')}`
  return Date.parse(`${readable}${rest}Z`) / 1000
}

const time: WrappedScalar = {
  message: timestamp,
  wrap: value => (value ? { seconds: secondsOf(value), nanos: 0 } : undefined),
  unwrap: ({ seconds, nanos }) => (seconds === undefined && nanos === undefined ? null : `${isoSeconds(seconds ?? 0)}Z`)
}

const microTime: WrappedScalar = {
  message: timestamp,
  wrap: (value: string | null | undefined) =>
    value ? { seconds: secondsOf(value), nanos: Number(value.slice(-7, -1)) * 1000 } : undefined,
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

/** JSON as text in a bytes field. */
function embeddedJson(name: string): WrappedScalar {
  return {
    message: messageType(name, { raw: { number: 1, type: string, optional: true } }),
    wrap: value => (value === null || value === undefined ? undefined : { raw: exactJson(value) }),
    unwrap({ raw = '' }) {
      if (raw === '') return null
      let value: unknown
      try {
        value = parseExact(raw)
      } catch {
        throw new ProtobufError(`json: error calling MarshalJSON for type ${name}: the value is no JSON`)
      }
      if (isDeeperThan(value, maxJsonDepth)) throw new ProtobufError('exceeded max depth')
      return value
    }
  }
}

const schemaType = () => loadSchema().type('apiextensions.v1.JSONSchemaProps')

/** decode() keeps such schemas verbatim, so they are converted to their typed form here. */
const typedSchema = (value: unknown) => decode(schemaType(), value ?? {}).object

/** A JSON schema, or the value that may stand in its place. */
function schemaOr(
  name: string,
  schemaNumber: number,
  other: Readonly<Record<string, MessageField>>,
  wrapOther: (value: any) => Record<string, unknown>,
  unwrapOther: (message: any) => unknown
): WrappedScalar {
  return {
    message: messageType(name, { schema: { number: schemaNumber, type: schemaType(), optional: true }, ...other }),
    wrap(value) {
      const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value)
      return isSchema ? { schema: typedSchema(value), ...wrapOther(undefined) } : wrapOther(value)
    },
    unwrap: message => (message.schema ? typedSchema(message.schema) : unwrapOther(message))
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
    schemaOr(
      'JSONSchemaPropsOrBool',
      2,
      { allows: { number: 1, type: scalarType('bool') } },
      value => ({ allows: value !== false }),
      m => m.allows === true
    ),
  schemaOrArray: () =>
    schemaOr(
      'JSONSchemaPropsOrArray',
      1,
      { jSONSchemas: { number: 2, type: listOf(schemaType()) } },
      value => ({ jSONSchemas: value?.map(typedSchema) }),
      m => m.jSONSchemas?.map(typedSchema) ?? null
    ),
  schemaOrStringArray: () =>
    schemaOr(
      'JSONSchemaPropsOrStringArray',
      1,
      { property: { number: 2, type: listOf(string) } },
      value => ({ property: value }),
      m => m.property ?? null
    )
}

const made = new Map<Scalar, WrappedScalar | undefined>()

/** Returns the wrapper of a scalar; undefined for scalars that are native to Protobuf. */
export function wrappedScalar(scalar: Scalar): WrappedScalar | undefined {
  if (!made.has(scalar)) made.set(scalar, makers[scalar]?.())
  return made.get(scalar)
}
