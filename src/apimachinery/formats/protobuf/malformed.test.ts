import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProtobufError } from '../../../util/protobuf/reader.js'
import { loadSchema } from '../../schema/load.js'
import { StatusError } from '../../status/status.js'
import { maxKeys } from '../value-limit.js'
import { decodeBody, decodeMessage } from './decode.js'
import { encodeMessage } from './encode.js'
import { unwrap } from './envelope.js'
import { seeded } from './testing/random-object.js'

const configMap = loadSchema().type('core.v1.ConfigMap')
const schemaProps = loadSchema().type('apiextensions.v1.JSONSchemaProps')
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

const envelopes: [bytes: Buffer, message: string][] = [
  [bytes(''), 'empty data'],
  [Buffer.from('{"kind":"ConfigMap"}'), 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  [Buffer.from('k8s'), 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  [Buffer.from('k8s\0'), 'empty body'],
  [bytes('6b387300 ffffffff'), 'unexpected EOF'],
  [bytes('6b387300 08 01'), 'proto: wrong wireType = 0 for field TypeMeta'],
  [bytes('6b387300 0a 02 08 01'), 'proto: wrong wireType = 0 for field APIVersion']
]
for (const [input, message] of envelopes) {
  test(`an envelope of ${input.length} bytes is refused: ${message}`, () =>
    assert.throws(() => unwrap(input), new ProtobufError(message)))
}

const messages: [hex: string, message: string][] = [
  ['0a', 'unexpected EOF'],
  ['0a 05 0a', 'unexpected EOF'],
  ['0a ffffffff7f', 'unexpected EOF'],
  ['0a ffffffffffffffffff01', 'proto: negative length found during unmarshaling'],
  ['ffffffffffffffffffff01', 'proto: integer overflow'],
  ['08 01', 'proto: wrong wireType = 0 for field ObjectMeta'],
  ['0a 02 08 01', 'proto: wrong wireType = 0 for field Name'],
  ['22 01 61', 'proto: wrong wireType = 2 for field Immutable'],
  ['0a 04 3a 02 08 01', 'proto: wrong wireType = 2 for field Generation'],
  ['02 00', 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
  ['0c', 'proto: ConfigMap: wiretype end group for non-group'],
  ['9e06', 'proto: illegal wireType 6'],
  ['9b06', 'unexpected EOF'],
  ['99 06 01', 'unexpected EOF'],
  ['0a 08 8a 01 05 3a 04 0a 01 7b', 'unexpected EOF'],
  ['0a 08 8a 01 05 3a 03 0a 01 7b', 'json: error calling MarshalJSON for type FieldsV1: the value is no JSON']
]
for (const [hex, message] of messages) {
  test(`the message ${hex} is refused: ${message}`, () =>
    assert.throws(() => decodeMessage(configMap, bytes(hex)), new ProtobufError(message)))
}

test('a time outside of the years that JSON can express is refused', () => {
  // creationTimestamp in the year 10000
  assert.throws(() => decodeMessage(configMap, bytes('0a 09 42 07 08 8083d1ffaf07')), ProtobufError)
})

test('a message that nests too deeply is refused before the stack overflows', () => {
  let message: Buffer = Buffer.alloc(0)
  const nested = (depth: number) => {
    for (let i = 0; i < depth; i++) message = Buffer.concat([bytes('e201'), varint(message.length), message])
    return message
  }
  assert.ok(encodeMessage(schemaProps, decodeMessage(schemaProps, nested(490))).length > 0)
  assert.throws(() => decodeMessage(schemaProps, nested(100)), new ProtobufError('exceeded max depth'))
})

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  return Buffer.from([...out, rest])
}

test('a map that a client sends has as many keys as an object in JSON, wherever its entries stand', () => {
  const keys = (length: number, from = 0) => Object.fromEntries(Array.from({ length }, (_, i) => [`k${from + i}`, 'v']))
  const [most, two] = [encodeMessage(configMap, { data: keys(maxKeys) }), encodeMessage(configMap, { data: keys(2, maxKeys) })]
  const other = encodeMessage(configMap, { binaryData: { a: 'YQ==' } })
  const isTooMany = (error: unknown) => error instanceof StatusError && error.code === 413 && /51200 keys/.test(error.message)
  assert.equal(Object.keys(decodeBody(configMap, Buffer.concat([most, other])).data as object).length, maxKeys)
  assert.throws(() => decodeBody(configMap, Buffer.concat([most, other, two])), isTooMany)
  // what is stored can be read, whoever wrote it
  assert.equal(Object.keys(decodeMessage(configMap, Buffer.concat([most, two])).data as object).length, maxKeys + 2)
})

test('random and corrupted bytes yield an object or a ProtobufError, nothing else', () => {
  const random = seeded(7)
  const pod = loadSchema().type('core.v1.Pod')
  const good = encodeMessage(pod, {
    metadata: { name: 'p', labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] }
  })
  for (let i = 0; i < 3000; i++) {
    const input = i % 2 === 0 ? Buffer.from(good) : Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256)))
    for (let k = 0; k < 3; k++) input[Math.floor(random() * input.length)] = Math.floor(random() * 256)
    try {
      decodeMessage(pod, input.subarray(0, Math.ceil(random() * input.length)))
    } catch (error) {
      assert.ok(error instanceof ProtobufError, String(error))
    }
  }
})
