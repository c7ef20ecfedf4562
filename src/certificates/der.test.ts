import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { element, integer, oid, readElement, readElements, readOid, readText, readTime, TAG, time, utf8String } from './der.js'

describe('DER', () => {
  for (const length of [0, 127, 128, 255, 256, 65535, 65536]) {
    it(`round-trips contents of ${length} bytes`, () => {
      const read = readElement(element(TAG.octetString, Buffer.alloc(length, 7)))
      assert.equal(read.tag, TAG.octetString)
      assert.equal(read.content.length, length)
    })
  }

  for (const dotted of ['2.5.4.3', '1.3.6.1.4.1.57683.2', '1.2.840.10045.4.3.2', '0.9.2342.19200300.100.1.1']) {
    it(`round-trips the object identifier ${dotted}`, () => assert.equal(readOid(readElement(oid(dotted)).content), dotted))
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
      assert.equal(readTime(read), Date.parse(iso))
    }
  })

  it('reads the string types of names', () => {
    assert.equal(readText(readElement(utf8String('Zoë'))), 'Zoë')
    assert.equal(readText(readElement(element(TAG.bmpString, Buffer.from('005a006f00eb', 'hex')))), 'Zoë')
  })

  for (const [what, hex] of Object.entries({
    'an element without length': '30',
    'a missing end': '3005020101',
    'an endless element': '3080',
    'a length of 5 digits': '30850000000001'
  })) {
    it(`refuses ${what}`, () => assert.throws(() => readElements(Buffer.from(hex, 'hex'))))
  }
})
