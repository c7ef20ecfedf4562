import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from 'cborg'
import { StatusError } from '../../status/status.js'
import { CborError } from './cursor.js'
import { readCbor, readCborMap } from './read.js'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('a CBOR document', () => {
  // from RFC 8949, appendix A, and from answers of kube-apiserver
  const values: [bytes: string, value: unknown][] = [
    ['00', 0],
    ['1818', 24],
    ['1903e8', 1000],
    ['1b001fffffffffffff', Number.MAX_SAFE_INTEGER],
    ['1b0020000000000001', 2n ** 53n + 1n],
    ['1b7fffffffffffffff', 2n ** 63n - 1n],
    ['3863', -100],
    ['3b001fffffffffffff', -(2n ** 53n)],
    ['3b7fffffffffffffff', -(2n ** 63n)],
    ['f93e00', 1.5],
    ['f90001', 2 ** -24],
    ['fa47c35001', 100_000.0078125],
    ['fb3ff199999999999a', 1.1],
    ['f5', true],
    ['f6', null],
    ['62c3bc', 'ü'],
    ['42c3bc', 'ü'],
    ['5f42616243636465ff', 'abcde'],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
    ['a1416101', { a: 1 }],
    ['a1f601', { '': 1 }],
    ['d9d9f7d9d9f76161', 'a'],
    ['d64401020304', 'AQIDBA=='],
    ['d5426fff', 'b_8'],
    ['d7426fff', '6fff'],
    ['d682d54161 4161', ['YQ', 'YQ==']],
    ['d6d541ff', '_w'],
    ['d82076687474703a2f2f7777772e6578616d706c652e636f6d', 'http://www.example.com'],
    ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['c0781e323031332d30332d32315432303a30343a30302e3132333030303030305a', '2013-03-21T20:04:00.123Z'],
    ['c11a514b67b0', '2013-03-21T20:04:00Z'],
    ['c1fb41d452d9ec200000', '2013-03-21T20:04:00.5Z'],
    ['c1fbbfb999999999999a', '1969-12-31T23:59:59.9Z']
  ]
  for (const [bytes, value] of values)
    it(`${bytes} is ${typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)}`, () =>
      assert.deepEqual(readCbor(hex(bytes)), value))

  // what kube-apiserver answers
  const refused: [bytes: string, why: string][] = [
    ['', 'EOF'],
    ['18', 'unexpected EOF'],
    ['5affffffff00', 'unexpected EOF'],
    ['9a7fffffff', 'unexpected EOF'],
    ['a161', 'unexpected EOF'],
    ['0001', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['df', 'cbor: invalid additional information 31 for type tag'],
    ['ff', 'cbor: unexpected "break" code'],
    ['bf00ff', 'cbor: unexpected "break" code'],
    ['f801', 'cbor: invalid simple value 1 for type primitives'],
    ['f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
    ['f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
    ['faff800000', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
    ['c24101', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
    ['61ff', 'cbor: invalid UTF-8 string'],
    ['7f62c3bc61ffff', 'cbor: invalid UTF-8 string'],
    ['7f61c361bcff', 'cbor: invalid UTF-8 string'],
    ['5f6100ff', 'cbor: wrong element type UTF-8 text string for indefinite-length byte string'],
    ['7f7f6100ffff', 'cbor: indefinite-length UTF-8 text string chunk is not definite-length'],
    ['9b8000000000000000', 'cbor: array length 9223372036854775808 is too large, it would cause integer overflow'],
    ['5bffffffffffffffff', 'cbor: byte string length 18446744073709551615 is too large, causing integer overflow'],
    ['9b0000000080000000', 'cbor: exceeded max number of elements 2147483647 for CBOR array'],
    ['ba00200001', 'cbor: exceeded max number of key-value pairs 2097152 for CBOR map'],
    ['a2616101416102', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a10102', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    [
      '1b8000000000000000',
      "cbor: cannot unmarshal positive integer into Go value of type int64 (9223372036854775808 overflows Go's int64)"
    ],
    ['c06161', 'cbor: cannot set a for time.Time: parsing time "a" as "2006-01-02T15:04:05Z07:00": cannot parse "a" as "2006"'],
    ['c0416161'.slice(0, 6), 'cbor: tag number 0 must be followed by text string, got byte string'],
    ['c1f5', 'cbor: tag number 1 must be followed by integer or floating-point number, got primitives'],
    [
      'c11b0000003afff44180',
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]'
    ]
  ]
  for (const [bytes, why] of refused)
    it(`${bytes || 'nothing'} is refused: ${why}`, () => assert.throws(() => readCbor(hex(bytes)), new CborError(why)))

  it('may have any keys', () => {
    const value = readCbor(hex('a2 495f5f70726f746f5f5f 01 4b636f6e7374727563746f72 02'))
    assert.equal(JSON.stringify(value), '{"__proto__":1,"constructor":2}')
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
  })

  it('is read as another encoder wrote it', () => {
    const value = { a: [1, -2.5, 1e300, 'ä', '', null, false, { b: {} }], c: 2 ** 40, ключ: 'x'.repeat(300) }
    assert.deepEqual(readCbor(Buffer.from(encode(value))), value)
  })

  it('has to be a map where objects are read', () => {
    assert.deepEqual(readCborMap(hex('d9d9f7a1416101')), { a: 1 })
    assert.deepEqual(readCborMap(hex('f6')), {})
    const why = 'cbor: cannot unmarshal array into Go value of type map[string]interface {}'
    assert.throws(() => readCborMap(hex('81a2616101416102')), new CborError(why))
  })
})

describe('hostile CBOR', () => {
  const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x81), hex('00')])
  const tooDeep = new CborError('cbor: exceeded max nested level 10000')

  it('may nest as deep as JSON', () => {
    assert.ok(readCbor(nested(1000)))
    assert.throws(() => readCbor(nested(1001)), tooDeep)
    assert.throws(() => readCbor(nested(3_000_000)), tooDeep)
    assert.throws(() => readCbor(Buffer.alloc(3_000_000, 0xd6)), tooDeep)
    assert.throws(() => readCbor(Buffer.alloc(3_000_000, 0x9f)), tooDeep)
  })

  it('may have millions of chunks', () => {
    const chunks = Buffer.concat([hex('7f'), Buffer.from('6161'.repeat(1_000_000), 'hex'), hex('ff')])
    assert.equal(readCbor(chunks), 'a'.repeat(1_000_000))
  })

  it('has as few values as JSON', () => {
    const tooMany = (error: unknown) => error instanceof StatusError && error.code === 413
    const list = (length: number) =>
      Buffer.concat([hex('9a'), Buffer.from([0, length >> 16, (length >> 8) & 255, length & 255]), Buffer.alloc(length)])
    assert.equal((readCbor(list(99_000)) as unknown[]).length, 99_000)
    assert.throws(() => readCbor(list(3_000_000)), tooMany)
    // what is stored is not limited
    assert.equal((readCbor(list(200_000), false) as unknown[]).length, 200_000)
    const keys = Buffer.concat([
      hex('bf'),
      ...Array.from({ length: 60_000 }, (_, i) => Buffer.from([0x43, i >> 16, (i >> 8) & 255, i & 255, 0])),
      hex('ff')
    ])
    assert.throws(() => readCbor(keys), tooMany)
  })
})
