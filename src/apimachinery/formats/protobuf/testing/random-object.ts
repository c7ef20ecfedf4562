/** Generates objects of a type as a client could send them: random, but the same for the same seed. */

import { setKey } from '../../../../util/json.js'
import type { ScalarType, StructType, Type } from '../../../schema/model.js'

export type Random = () => number

/** A small generator of uniform numbers below 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!

const maxDepth = 12

export function randomObject(type: StructType, random: Random): Record<string, unknown> {
  const object = randomStruct(type, random, 0)
  const gvk = type.gvks[0]
  return gvk ? { ...object, kind: gvk.kind, apiVersion: gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}` } : object
}

function randomStruct(type: StructType, random: Random, depth: number): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  // limits the number of fields of wide types, and the depth
  const share = Math.min(0.7, 12 / type.fields.length) * (1 - depth / maxDepth)
  for (const field of type.fields) {
    // messages do not contain an object's own kind and apiVersion
    const own = type.gvks.length > 0 && (field.name === 'kind' || field.name === 'apiVersion')
    if (!own && random() < share) out[field.name] = randomValue(field.type, random, depth + 1, field.pointer)
  }
  return out
}

function randomValue(type: Type, random: Random, depth: number, pointer = false): unknown {
  // where an absent list differs from an empty one, Protobuf loses the difference
  const count = Math.max(Math.floor(random() * (depth > 6 ? 2 : 4)), pointer ? 1 : 0)
  switch (type.kind) {
    case 'list':
      return Array.from({ length: count }, () => randomValue(type.items, random, depth + 1))
    case 'map': {
      const out: Record<string, unknown> = {}
      for (let i = 0; i < count; i++) setKey(out, pick(random, keys), randomValue(type.values, random, depth + 1))
      return out
    }
    case 'struct':
      return depth >= maxDepth ? {} : randomStruct(type, random, depth)
    case 'scalar':
      return randomScalar(type, random)
  }
}

const keys = ['', 'a', 'a.b', 'app.kubernetes.io/name', '__proto__', 'constructor', 'é', '\u{1F600}', '\uffee', 'z', '10', '9']
const strings = [
  '',
  'x',
  'some-name',
  'with ümlauts',
  '\u{1F600} astral',
  'a\nb',
  'long '.repeat(40),
  `long ü ${'x'.repeat(100)}`,
  '"quoted"',
  '\u0000'
]
const quantities = ['0', '1', '100m', '1Gi', '1500Mi', '1e3', '12k', '3E', '1n', '-5']
const times = [
  '2024-05-06T07:08:09Z',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2000-01-01T00:00:00+02:00'
]
const integers = [0, 1, -1, 127, 128, 255, 16383, 16384, 80, 2147483647, -2147483648]
const longIntegers = [...integers, 2147483648, 4294967296, 9007199254740991, -9007199254740991, 34359738368]
const jsonValues = [{ a: 1, b: [true, null, 'x'] }, { nested: { k: {} } }, 'text', 7, [1, 2], false]
const schemas = [{ type: 'string' }, { type: 'object', properties: { a: { type: 'integer', minimum: 1.5 } }, $ref: '#/x' }, {}]

function randomScalar(type: ScalarType, random: Random): unknown {
  switch (type.scalar) {
    case 'string':
      return pick(random, strings)
    case 'int32':
      return pick(random, integers)
    case 'int64':
      return pick(random, longIntegers)
    case 'double':
      return pick(random, [0, 1, -1.5, 0.1, 1e100, 3])
    case 'bool':
      return random() < 0.5
    case 'bytes':
      return Buffer.from(pick(random, strings)).toString('base64')
    case 'quantity':
      return pick(random, quantities)
    case 'intOrString':
      return random() < 0.5 ? pick(random, integers) : pick(random, ['', 'http', '25%'])
    case 'time':
      return pick(random, times)
    case 'microTime':
      return pick(random, times).replace(/(?=Z|\+)/, pick(random, ['.000000', '.123456', '.999999']))
    case 'fieldsV1':
      return { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } }
    case 'raw':
      return pick(random, jsonValues.slice(0, 2))
    case 'json':
      return pick(random, jsonValues)
    case 'schemaOrArray':
      return random() < 0.5 ? pick(random, schemas) : [pick(random, schemas), pick(random, schemas)]
    case 'schemaOrBool':
      return random() < 0.5 ? pick(random, schemas) : random() < 0.5
    case 'schemaOrStringArray':
      return random() < 0.5 ? pick(random, schemas) : ['a', 'b']
  }
}
