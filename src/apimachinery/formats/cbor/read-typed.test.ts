import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode, Token, Type } from 'cborg'
import { loadSchema } from '../../schema/load.js'
import { CborError } from './cursor.js'
import { readIdentity, readTyped } from './read-typed.js'
import { encodePart } from './write.js'

/** Strings are byte strings, as Go writes them. */
const bytesOf = (value: unknown) =>
  Buffer.from(encode(value, { typeEncoders: { string: (text: string) => [new Token(Type.bytes, Buffer.from(text))] } }))
const read = (type: string, bytes: Buffer) => readTyped(loadSchema().type(type), bytes)
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('CBOR with a type', () => {
  it('becomes the document that JSON would be', () => {
    const secret = { kind: 'Secret', metadata: { name: 's', labels: { a: 'b' } }, data: { a: 'aGVsbG8=' }, immutable: true }
    assert.deepEqual(read('core.v1.Secret', bytesOf(secret)), { document: secret, unknownField: undefined })
  })

  it('has bytes under any tag of an encoding, or as base64', () => {
    for (const tag of ['d5', 'd6', 'd7'])
      assert.deepEqual(read('core.v1.Secret', hex(`a1 4464617461 a1 4161 ${tag} 42ff00`)).document, { data: { a: '/wA=' } })
    assert.deepEqual(read('core.v1.Secret', hex('a1 4464617461 a1 4161 44 2f77413d')).document, { data: { a: '/wA=' } })
  })

  // what kube-apiserver answers
  const refused: [type: string, value: unknown, why: string][] = [
    [
      'core.v1.ConfigMap',
      { data: { a: 1 } },
      'cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.data of type string'
    ],
    [
      'core.v1.ConfigMap',
      { data: [] },
      'cbor: cannot unmarshal array into Go struct field v1.ConfigMap.data of type map[string]string'
    ],
    [
      'core.v1.ConfigMap',
      { binaryData: { a: '!' } },
      'cbor: failed to decode base64 from byte string: illegal base64 data at input byte 0'
    ],
    [
      'core.v1.ConfigMap',
      { immutable: 'x' },
      'cbor: cannot unmarshal byte string into Go struct field v1.ConfigMap.immutable of type bool'
    ],
    [
      'core.v1.ConfigMap',
      { metadata: [] },
      'cbor: cannot unmarshal array into Go struct field v1.ConfigMap.metadata of type v1.ObjectMeta (cannot decode CBOR array to struct without toarray option)'
    ],
    [
      'core.v1.Pod',
      { spec: { priority: 2 ** 31 } },
      'cbor: cannot unmarshal positive integer into Go struct field v1.Pod.spec of type int32 (2147483648 overflows int32)'
    ],
    [
      'core.v1.Pod',
      { spec: { containers: [{ resources: { requests: { cpu: 1 } } }] } },
      'cbor: cannot unmarshal positive integer into Go struct field v1.Pod.spec of type string'
    ],
    [
      'core.v1.Service',
      { spec: { ports: [{ targetPort: 1.5 }] } },
      'cbor: cannot unmarshal primitives into Go struct field v1.Service.spec of type int32'
    ]
  ]
  for (const [type, value, why] of refused)
    it(`is refused: ${why}`, () => assert.throws(() => read(type, bytesOf(value)), new CborError(why)))

  it('has no text for bytes', () => {
    const why = 'cbor: cannot unmarshal UTF-8 text string into Go struct field v1.Secret.data of type []uint8'
    assert.throws(() => read('core.v1.Secret', hex('a1 4464617461 a1 4161 6161')), new CborError(why))
  })

  it('says which error a raw value has', () => {
    const why =
      'failed to transcode RawExtension to JSON: failed to parse RawExtension bytes as CBOR: cbor: found duplicate map key "a" at map element index 1'
    assert.throws(() => read('apps.v1.ControllerRevision', hex('a1 4464617461 a2416101416102')), new CborError(why))
  })

  it('reads ports by number and name', () => {
    const ports = (targetPort: unknown) => ({ spec: { ports: [{ targetPort }] } })
    for (const port of [80, 'http']) assert.deepEqual(read('core.v1.Service', bytesOf(ports(port))).document, ports(port))
  })

  it('names one unknown field, by its place in its map', () => {
    const unknown = (value: unknown) => read('core.v1.ConfigMap', encodePart(value)).unknownField
    const at = (index: number) => `cbor: found unknown field at map element index ${index}`
    assert.equal(unknown({ data: { x: 'y' } }), undefined)
    assert.equal(unknown({ foo: 1 }), at(0))
    assert.equal(unknown({ data: {}, kind: 'a', foo: 1 }), at(2))
    assert.equal(unknown({ metadata: { name: 'x', foo: 1 } }), at(1))
    // one of the object itself counts more than one of its field before it
    assert.equal(unknown({ data: {}, metadata: { a: 1 }, zzzzzzzzzz: 1 }), at(2))
    // of several in a list, the first
    assert.equal(unknown({ metadata: { ownerReferences: [{ kind: 'a', xxxxx: 1 }, { a: 1 }] } }), at(1))
  })

  it('has no repeated keys, known or not', () => {
    for (const [bytes, why] of [
      ['a2 446461746100 446461746100', 'cannot unmarshal'],
      ['a2 4464617461a0 4464617461a0', 'found duplicate map key "data" at map element index 1'],
      ['a2 4178 01 4178 02', 'found duplicate map key "x" at map element index 1'],
      ['a2 01 01 01 02', 'found duplicate map key 1 at map element index 1']
    ] as const)
      assert.throws(
        () => read('core.v1.ConfigMap', hex(bytes)),
        (error: Error) => error.message.includes(why)
      )
  })

  it('says its kind before anything else is looked at', () => {
    assert.deepEqual(readIdentity(bytesOf({ kind: 'A', apiVersion: 'v1', data: 5 })), { kind: 'A', apiVersion: 'v1' })
    const why = 'cbor: cannot unmarshal positive integer into Go struct field v1.TypeMeta.kind of type string'
    assert.throws(() => readIdentity(bytesOf({ kind: 5 })), new CborError(why))
  })
})
