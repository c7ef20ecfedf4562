import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bitString, boolean, element, integer, oid, sequence, TAG, time, utf8String } from './der.js'
import { DerCursor, type DerElement, DerError, int64Of } from './der-cursor.js'
import { readName } from './distinguished-name.js'

const readElement = (der: Buffer): DerElement => new DerCursor(der).any()

describe('DER', () => {
  it('has the tags of X.690', () =>
    assert.deepEqual(Object.values(TAG), [1, 2, 3, 4, 5, 6, 12, 18, 19, 20, 22, 23, 24, 30, 48, 49]))

  for (const length of [0, 127, 128, 255, 256, 65535, 65536, 2 ** 24 - 1, 2 ** 24]) {
    it(`round-trips contents of ${length} bytes`, () => {
      const read = readElement(element(TAG.octetString, Buffer.alloc(length, 7)))
      assert.equal(read.tag, TAG.octetString)
      assert.equal(read.content.length, length)
    })
  }

  for (const dotted of [
    '2.5.4.3',
    '1.3.6.1.4.1.57683.2',
    '1.2.840.10045.4.3.2',
    '1.2.127',
    '1.2.128',
    '1.2.255',
    '1.2.16384',
    '0.9.2342.19200300.100.1.1'
  ]) {
    it(`round-trips the object identifier ${dotted}`, () => assert.equal(new DerCursor(oid(dotted)).oid(), dotted))
  }

  it('writes positive integers with a leading zero only where the sign bit needs it', () => {
    assert.equal(integer(Buffer.from('0000007f', 'hex')).toString('hex'), '02017f')
    assert.equal(integer(Buffer.from('80', 'hex')).toString('hex'), '02020080')
  })

  it('writes years up to 2049 in the short form and later ones in the long form', () => {
    for (const [iso, tag] of [
      ['2049-12-31T23:59:59Z', TAG.utcTime],
      ['2050-01-01T00:00:00Z', TAG.generalizedTime]
    ] as const) {
      const read = readElement(time(Date.parse(iso)))
      assert.equal(read.tag, tag)
      assert.equal(new DerCursor(read.raw).time(), Date.parse(iso))
    }
  })

  it('reads the string types of names', () => {
    assert.equal(textIn(utf8String('Zoë')), 'Zoë')
    for (const [tag, hex, text] of texts) assert.equal(textIn(element(tag, Buffer.from(hex, 'hex'))), text, `${tag} ${hex}`)
  })

  for (const [what, hex] of Object.entries({
    nothing: '',
    'an element without length': '30',
    'a missing end': '3005020101',
    'an endless element': '3080',
    'an endless element with content': `3080${'00'.repeat(0x80)}`,
    'a length of 5 digits': '30850000000001',
    'a length of 7 digits': `3087${'00'.repeat(6)}80${'00'.repeat(0x80)}`,
    'a length without all its digits': '308201',
    'a short length in the long form': `30817f${'00'.repeat(0x7f)}`,
    'a length with a leading 0': `30820080${'00'.repeat(0x80)}`,
    'a tag of several bytes': '3f0100'
  })) {
    it(`refuses ${what}`, () => assert.throws(() => readElement(Buffer.from(hex, 'hex')), DerError))
  }

  it('reads one element after the other', () => {
    const cursor = new DerCursor(Buffer.concat([integer(Buffer.of(7)), sequence(boolean(true)), boolean(false)]))
    assert.deepEqual([cursor.isEmpty, cursor.isNext(TAG.integer), cursor.isNext(TAG.boolean)], [false, true, false])
    assert.equal(cursor.natural(), 7n)
    assert.equal(cursor.optional(TAG.integer), undefined)
    assert.equal(cursor.in(TAG.sequence).boolean(), true)
    assert.throws(() => cursor.take(TAG.integer))
    assert.equal(cursor.boolean(), false)
    assert.equal(cursor.isEmpty, true)
  })

  const reads = (what: string, read: (cursor: DerCursor) => unknown, cases: Readonly<Record<string, unknown>>) => {
    for (const [hex, wanted] of Object.entries(cases))
      it(`${wanted === undefined ? 'refuses' : 'reads'} ${what} ${hex}`, () => {
        const cursor = new DerCursor(Buffer.from(hex, 'hex'))
        if (wanted === undefined) assert.throws(() => read(cursor), DerError)
        else assert.deepEqual(read(cursor), wanted)
      })
  }
  reads('integer', cursor => cursor.integer().toString('hex'), {
    '020100': '00',
    '02020080': '0080',
    '0201ff': 'ff',
    '0202ff7f': 'ff7f',
    '0200': undefined,
    '02020001': undefined,
    '0202007f': undefined,
    '0202ffff': undefined,
    '0202ff80': undefined
  })
  reads('natural number', cursor => cursor.natural(), {
    '020100': 0n,
    '02087fffffffffffffff': 2n ** 63n - 1n,
    '0209008000000000000000': undefined,
    '0201ff': undefined
  })
  reads('boolean', cursor => cursor.boolean(), {
    '0101ff': true,
    '010100': false,
    '010101': undefined,
    '0100': undefined,
    '01020000': undefined
  })
  reads('object identifier', cursor => cursor.oid(), {
    '0601': undefined,
    '0600': undefined,
    '060128': '1.0',
    '060127': '0.39',
    '06014f': '1.39',
    '060150': '2.0',
    '06028837': '2.999',
    '06025504': '2.5.4',
    '0602808001': undefined,
    '06028001': undefined,
    '06032a8001': undefined,
    '06022a80': undefined,
    '06062a87ffffff7f': '1.2.2147483647',
    '06062a8880808000': undefined
  })
  reads('bits', cursor => cursor.bits().toString('hex'), {
    '030100': '',
    '03020780': '80',
    '030200ff': 'ff',
    '03020440': '40',
    '03020448': undefined,
    '0300': undefined,
    '030101': undefined,
    '030107': undefined,
    '03020800': undefined
  })
  reads('bits as a number', cursor => cursor.bitString().toString('hex'), {
    '0303000102': '0102',
    '0303010102': '0081',
    '0303040120': '0012',
    '030304ff20': '0ff2',
    '0303040128': undefined
  })
  reads('64-bit integer', cursor => int64Of(cursor.take(TAG.integer)), {
    '0201ff': -1n,
    '02020001': 1n,
    '02088000000000000000': -(2n ** 63n),
    '0200': undefined,
    '0209000000000000000001': undefined
  })

  const [utc, long] = [TAG.utcTime, TAG.generalizedTime]
  for (const [text, iso, tag = utc] of [
    ['490101000000Z', '2049-01-01T00:00:00Z'],
    ['500101000000Z', '1950-01-01T00:00:00Z'],
    ['2601020304Z', '2026-01-02T03:04:00Z'],
    ['260102030405+0130', '2026-01-02T01:34:05Z'],
    ['260102030405-0130', '2026-01-02T04:34:05Z'],
    ['260102030405+2459', '2026-01-01T02:05:05Z'],
    ['240229000000Z', '2024-02-29T00:00:00Z'],
    ['261231235959Z', '2026-12-31T23:59:59Z'],
    ['20260102030405Z', '2026-01-02T03:04:05Z', long],
    ['19490102030405-0001', '1949-01-02T03:05:05Z', long],
    ['260102030405+0000', undefined],
    ['260102030405+2500', undefined],
    ['260102030405+0160', undefined],
    ['260229000000Z', undefined],
    ['260001000000Z', undefined],
    ['261301000000Z', undefined],
    ['260100000000Z', undefined],
    ['260101240000Z', undefined],
    ['260101006000Z', undefined],
    ['260101000060Z', undefined],
    ['260101000000', undefined],
    ['202601020304Z', undefined, long],
    ['26010203Z', undefined]
  ] as const)
    it(`${iso ? 'reads' : 'refuses'} the time ${text}`, () => {
      const read = () => new DerCursor(element(tag, Buffer.from(text))).time()
      if (iso) assert.equal(read(), Date.parse(iso))
      else assert.throws(read, DerError)
    })

  it('reads times of these two forms only', () =>
    assert.throws(() => new DerCursor(element(TAG.ia5String, Buffer.from('20490101000000Z'))).time()))

  it('writes how many bits are not used', () => assert.equal(bitString(Buffer.of(0x80), 7).toString('hex'), '03020780'))
})

const textIn = (text: Buffer): string => {
  const name = sequence(element(TAG.set, sequence(oid('2.5.4.3'), text)))
  const { attributes, raw } = readName(new DerCursor(name))
  assert.deepEqual([attributes[0]?.type, raw], ['2.5.4.3', name])
  return attributes[0]!.value
}

/** By tag and bytes; undefined what is refused. */
const texts: readonly (readonly [tag: number, hex: string, text: string])[] = [
  [TAG.bmpString, '005a006f00eb', 'Zoë'],
  [TAG.bmpString, '005a0000', 'Z'],
  [TAG.bmpString, '', ''],
  [TAG.teletexString, 'e9', 'é'],
  [TAG.numericString, '30203139', '0 19'],
  [TAG.ia5String, '7f', '\x7f'],
  [TAG.printableString, '4120302a26', 'A 0*&']
]

const notTexts: readonly (readonly [what: string, tag: number, hex: string])[] = [
  ['half a character', TAG.bmpString, '005a00'],
  ['half a surrogate pair', TAG.bmpString, 'd83d'],
  ['a surrogate pair', TAG.bmpString, 'd83dde00'],
  ['no character', TAG.bmpString, 'fffe'],
  ['no character either', TAG.bmpString, 'fdd0'],
  ['letters among digits', TAG.numericString, '3041'],
  ['ASCII with the eighth bit', TAG.ia5String, '80'],
  ['an at sign', TAG.printableString, '4140'],
  ['broken UTF-8', TAG.utf8String, 'c3'],
  ['an integer', TAG.integer, '01']
]

describe('text in a name', () => {
  for (const [what, tag, hex] of notTexts)
    it(`is not ${what}`, () => assert.throws(() => textIn(element(tag, Buffer.from(hex, 'hex')))))
})
