/** Header compression, and the rules for the headers of requests. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { literals } from '../../../testkit/raw-http2.js'
import { ConnectionError, errorCode } from './errors.js'
import { HeaderDecoder } from './header-decoder.js'
import { encodeHeaders } from './header-encoder.js'
import { readRequestHeaders, readTrailers } from './request-headers.js'

function decoded(decoder: HeaderDecoder, hex: string): string[] {
  const fields: string[] = []
  decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), (name, value) => fields.push(`${name}=${value}`))
  return fields
}

const refused = (hex: string) =>
  assert.throws(
    () => decoded(new HeaderDecoder(), hex),
    error => error instanceof ConnectionError && error.code === errorCode.compression
  )

describe('the decoder of header blocks', () => {
  it('reads indexes, literals and Huffman codes, and remembers fields (RFC 7541, C.4)', () => {
    const decoder = new HeaderDecoder()
    assert.deepEqual(decoded(decoder, '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'), [
      ':method=GET',
      ':scheme=http',
      ':path=/',
      ':authority=www.example.com'
    ])
    assert.deepEqual(decoded(decoder, '8286 84be 5886 a8eb 1064 9cbf').slice(3), [
      ':authority=www.example.com',
      'cache-control=no-cache'
    ])
    assert.deepEqual(decoded(decoder, '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf').slice(1), [
      ':scheme=https',
      ':path=/index.html',
      ':authority=www.example.com',
      'custom-key=custom-value'
    ])
  })

  it('forgets the oldest fields when the table is full, and all when the client says so', () => {
    const decoder = new HeaderDecoder()
    const added = (name: string, value: string) =>
      `40${literals([[name, value]])
        .subarray(1)
        .toString('hex')}`
    // 1 + 2015 + 32 bytes: two fill the table
    for (const name of ['a', 'b']) decoded(decoder, added(name, name.repeat(2015)))
    assert.deepEqual(
      decoded(decoder, 'bfbe').map(field => field[0]),
      ['a', 'b']
    )
    decoded(decoder, added('c', ''))
    assert.deepEqual(
      decoded(decoder, 'bfbe').map(field => field[0]),
      ['b', 'c']
    )
    assert.throws(() => decoded(decoder, 'c0'), /the index 64/)
    decoded(decoder, '20')
    assert.throws(() => decoded(decoder, 'be'), /the index 62/)
  })

  it('keeps nothing of a field that is larger than the table', () => {
    const decoder = new HeaderDecoder()
    decoded(
      decoder,
      `40${literals([['a', 'b']])
        .subarray(1)
        .toString('hex')}`
    )
    decoded(
      decoder,
      `40${literals([['a', 'b'.repeat(4096)]])
        .subarray(1)
        .toString('hex')}`
    )
    assert.throws(() => decoded(decoder, 'be'), /the index 62/)
  })

  it('reads what is at the limits of its tables and integers', () => {
    assert.deepEqual(decoded(new HeaderDecoder(), 'bd'), ['www-authenticate='])
    assert.deepEqual(decoded(new HeaderDecoder(), '00016180'), ['a='], 'an empty Huffman code')
    for (const length of [126, 127, 128, 254, 255, 256, 20_000]) {
      const block = Buffer.from(encodeHeaders(200, { a: 'x'.repeat(length) }), 'latin1').toString('hex')
      assert.deepEqual(decoded(new HeaderDecoder(), block), [':status=200', `a=${'x'.repeat(length)}`])
    }
  })

  it('reads long Huffman codes', () => {
    // of 26 bits, 5 and 30, filled up with ones
    assert.deepEqual(decoded(new HeaderDecoder(), '000161 88 fffffb81ffffffe7'), ['a=\xff0\n'])
  })

  it('refuses what is malformed', () => {
    for (const hex of [
      '80', // index 0
      'be', // an entry that is not there
      '7f8080808080808001', // a too large index
      'ff', // an incomplete integer
      '0001', // an incomplete name
      '000161', // a missing value
      '0001610561', // an incomplete value
      '0001618118', // nor are zeros
      '00016184ffffffff', // EOS
      '8220', // a size behind a field
      '3fe21f' // a size beyond the table's
    ])
      refused(hex)
  })
})

describe('the encoder of header blocks', () => {
  it('writes what the decoder reads', () => {
    const block = encodeHeaders(418, { 'Content-Type': 'a/b', 'x-long': 'y'.repeat(300), warning: ['1', '2'], plain: '' })
    assert.deepEqual(decoded(new HeaderDecoder(), Buffer.from(block, 'latin1').toString('hex')), [
      ':status=418',
      'content-type=a/b',
      `x-long=${'y'.repeat(300)}`,
      'warning=1',
      'warning=2',
      'plain='
    ])
    assert.deepEqual(decoded(new HeaderDecoder(), Buffer.from(encodeHeaders(200, {}), 'latin1').toString('hex')), [':status=200'])
  })

  it('leaves out what HTTP/2 does not have', () => {
    const block = encodeHeaders(200, { Connection: 'close', 'transfer-encoding': 'chunked', upgrade: 'x', a: 'b' })
    assert.deepEqual(decoded(new HeaderDecoder(), Buffer.from(block, 'latin1').toString('hex')), [':status=200', 'a=b'])
  })

  it('refuses characters that could end a header', () => {
    for (const value of ['a\nb', 'a\rb', 'a\0b', 'a\u010ab', '\u{1f600}'])
      assert.throws(() => encodeHeaders(200, { a: value }), TypeError)
  })
})

describe('the headers of a request', () => {
  const limits = { headerBytes: 1000, headerPairs: 10 }
  const base: [string, string][] = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/']
  ]
  const read = (...fields: [string, string][]) => readRequestHeaders(new HeaderDecoder(), literals(fields), limits)

  it('are joined by name; of some the first counts', () => {
    const found = read(
      ...base,
      ['a', '1'],
      ['a', '2'],
      ['cookie', 'x'],
      ['cookie', 'y'],
      ['authorization', 'p'],
      ['authorization', 'q']
    )
    assert.ok(typeof found === 'object')
    const { a, cookie, authorization } = found.headers
    assert.deepEqual([a, cookie, authorization], ['1, 2', 'x; y', 'p'])
    assert.deepEqual(found.raw.slice(6, 10), ['a', '1', 'a', '2'])
  })

  it('have no prototype', () => {
    const found = read(...base, ['__proto__', 'x'], ['constructor', 'y'])
    assert.ok(typeof found === 'object')
    assert.deepEqual(Object.keys(found.headers).slice(3), ['__proto__', 'constructor'])
    assert.equal(found.headers.toString, undefined)
  })

  it('are malformed', () => {
    assert.equal(read([':method', 'GET'], [':path', '/']), 'malformed')
    for (const fields of [
      [['A', 'b']],
      [['', 'b']],
      [['a b', 'c']],
      [['a', 'b\nc']],
      [['a', ' b']],
      [['connection', 'close']],
      [['transfer-encoding', 'chunked']],
      [['te', 'gzip']],
      [[':path', '/']],
      [[':other', '/']],
      [['content-length', '-1']],
      [
        ['content-length', '1'],
        ['content-length', '2']
      ],
      [
        ['a', 'b'],
        [':authority', 'x']
      ]
    ] as [string, string][][])
      assert.equal(read(...base, ...fields), 'malformed', JSON.stringify(fields))
    for (const path of ['', '/a b', '/a\tb', '/\x7f'])
      assert.equal(read([':method', 'GET'], [':scheme', 'https'], [':path', path]), 'malformed')
    assert.equal(read([':method', 'G ET'], [':scheme', 'https'], [':path', '/']), 'malformed')
  })

  it('have limits, and are read to their end', () => {
    const decoder = new HeaderDecoder()
    const large = Buffer.concat([literals([['a', 'x'.repeat(960)]]), Buffer.from([0x40]), literals([['b', 'c']]).subarray(1)])
    assert.equal(readRequestHeaders(decoder, large, limits), 'too large')
    assert.deepEqual(decoded(decoder, 'be'), ['b=c'])
    const many = Array.from({ length: 11 }, (_, i): [string, string] => [`a${i}`, ''])
    assert.equal(read(...many), 'too large')
  })

  it('may follow a body, without pseudo-header fields', () => {
    assert.equal(readTrailers(new HeaderDecoder(), literals([['a', 'b']])), true)
    assert.equal(readTrailers(new HeaderDecoder(), literals([[':path', '/']])), false)
  })
})
