import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode, rfc8949EncodeOptions } from 'cborg'
import { loadSchema } from '../../schema/load.js'
import { diagnose } from './diagnostic.js'
import { readCbor } from './read.js'
import { encodeStored, isStoredAs, parseStored } from './stored.js'
import { encodeCbor } from './write.js'

const written = (value: unknown, type?: string) =>
  encodeCbor(value, type === undefined ? undefined : loadSchema().type(type))
    .subarray(3)
    .toString('hex')

describe('an encoded document', () => {
  it('begins with the tag that says what it is', () => assert.equal(encodeCbor(null).toString('hex'), 'd9d9f7f6'))

  it('has numbers as short as they can be', () => {
    const numbers = [0, 23, 24, 255, 256, 65535, 65536, 2 ** 32, Number.MAX_SAFE_INTEGER, -1, -24, -25, -257, -(2 ** 40)]
    const floats = [
      0.5,
      1.5,
      -0.25,
      65504.5,
      0.1,
      1.1,
      1e300,
      2 ** -25,
      3 * 2 ** -14 * 1.5,
      1e-7,
      100000.0078125,
      -4.1,
      2 ** 60,
      5e-324
    ]
    for (const number of [...numbers, ...floats]) {
      const expected = Buffer.from(encode(number, rfc8949EncodeOptions)).toString('hex')
      assert.equal(written(number), expected, String(number))
    }
    // cborg writes none of these in 16 bits, but Go does
    assert.equal(written(3 * 2 ** -24), 'f90003')
    assert.equal(written(2n ** 53n + 1n), '1b0020000000000001')
    assert.equal(written(-(2n ** 63n)), '3b7fffffffffffffff')
  })

  it('has strings of bytes', () => {
    for (const text of ['', 'a', 'ä', 'x'.repeat(23), 'x'.repeat(24), 'ä'.repeat(12), 'x'.repeat(70_000)]) {
      assert.equal(readCbor(encodeCbor(text)), text)
      assert.equal(encodeCbor(text)[3]! >> 5, 2)
    }
  })

  it('has no undefined fields', () => assert.equal(written({ a: undefined, b: 1 }), 'a1416201'))

  it('has bytes as bytes, and floats as floats, where the type says so', () => {
    assert.equal(written({ data: { a: '/wA=' } }, 'core.v1.Secret'), 'a14464617461a14161d642ff00')
    assert.equal(written({ items: [{ data: { a: '' } }] }, 'core.v1.SecretList'), 'a1456974656d7381a14464617461a14161d640')
    const schema = { maximum: 1, properties: { a: { minimum: 2, minLength: 2 } }, items: { multipleOf: 2 } }
    assert.equal(
      diagnose(encodeCbor(schema, loadSchema().type('apiextensions.v1.JSONSchemaProps'))),
      "55799({'maximum': 1.0, 'properties': {'a': {'minimum': 2.0, 'minLength': 2}}, 'items': {'multipleOf': 2.0}})"
    )
  })

  it('is written by people in diagnostic notation', () => {
    const bytes = Buffer.from(
      'd9d9f7bf616181014162824162219f02ff4161a14163fb3e70000000000000436b227700f641ff5f4161ff416443c3bc27ff',
      'hex'
    )
    assert.equal(
      diagnose(bytes),
      `55799({_ "a": [1], 'b': ['b', -2], [_ 2]: 'a', {'c': 5.960464477539063e-8}: 'k"w', 0: null, h'ff': (_ 'a'), 'd': '\\u00fc\\''})`
    )
  })
})

describe('a stored custom resource', () => {
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', uid: 'u', resourceVersion: '7' },
    spec: { zz: 1, b: 'ä', aaa: null, '': 1.5 }
  }
  const stored = encodeStored(object, 'Widget', 'example.com/v1')

  it('is as kube-apiserver stores it: without its version, and with sorted keys', () => {
    assert.equal(
      diagnose(stored),
      `55799({'kind': 'Widget', 'spec': {h'': 1.5, 'b': '\\u00e4', 'zz': 1, 'aaa': null}, 'metadata': {'uid': 'u', 'name': 'w'}, 'apiVersion': 'example.com/v1'})`
    )
  })

  it('is read, beside JSON', () => {
    const { resourceVersion: _, ...metadata } = object.metadata
    assert.deepEqual(parseStored(stored), { ...object, metadata })
    assert.deepEqual(parseStored(Buffer.from('{"a":1}')), { a: 1 })
  })

  it('says its version without being parsed', () => {
    assert.ok(isStoredAs(stored, 'example.com/v1'))
    assert.ok(!isStoredAs(stored, 'example.com/v2'))
    assert.ok(!isStoredAs(Buffer.from(JSON.stringify(object)), 'example.com/v1'))
    assert.ok(!isStoredAs(encodeCbor({ spec: { apiVersion: 'example.com/v1' } }), 'example.com/v1'))
  })
})
