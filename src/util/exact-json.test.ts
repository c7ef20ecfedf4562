import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exactInteger, exactJson, parseExact } from './exact-json.js'

describe('JSON with exact integers', () => {
  for (const text of [
    '{"a":9007199254740993}',
    '[-9223372036854775808,9223372036854775807]',
    '{"a":{"b":[1,{"c":9007199254740995}]},"d":"9007199254740993","e":1.5}',
    '{"__proto__":9007199254740993}',
    '{"a \\"9007199254740993\\\\":9007199254740993}',
    '9007199254740993'
  ]) {
    it(`reads and writes ${text} unchanged`, () => assert.equal(exactJson(parseExact(text)), text))
  }

  it('finds a long integer at any place', () => {
    for (let before = 0; before < 40; before++) {
      const text = `{"${'k'.repeat(before)}":[12,${'3'.repeat(before % 15)}4,9007199254740993],"z":1}`
      assert.equal(exactJson(parseExact(text)), text)
    }
  })

  for (const text of ['9223372036854775808', '-9223372036854775809', '1e300', '12345678901234567.5', '1'.repeat(400)]) {
    it(`reads ${text.slice(0, 20)} as a double`, () => assert.equal(parseExact(text), Number(text)))
  }

  it('keeps all digits on request, up to a limit', () => {
    assert.equal(
      exactJson(parseExact('[9223372036854775808,-9223372036854775809,1]', true)),
      '[9223372036854775808,-9223372036854775809,1]'
    )
    assert.deepEqual(parseExact(`[${'1'.repeat(100)},12345.5]`, true), [Number('1'.repeat(100)), 12345.5])
  })

  it('reads everything else as JSON.parse does', () => {
    for (const text of ['{"a":"1234567890123456","b":[1,2.5,-0,true,null]}', '"\\u00009007199254740993"', '[]'])
      assert.deepEqual(parseExact(text), JSON.parse(text))
    assert.throws(() => parseExact('{"a":9007199254740993'), SyntaxError)
  })

  it('writes with line breaks, and with a replacer', () => {
    assert.equal(exactJson({ a: 2n ** 60n }, 2), '{\n  "a": 1152921504606846976\n}')
    const upper = (_: string, v: unknown) => (typeof v === 'string' ? v.toUpperCase() : v)
    assert.equal(exactJson({ a: 2n ** 60n, b: 'x' }, undefined, upper), '{"a":1152921504606846976,"b":"X"}')
  })

  it('reads half a surrogate pair as the replacement character', () => {
    assert.deepEqual(parseExact('{"\\ud800":"\\uD83D\\uDE00 \\udc00 \\\\ud800"}'), { '\ufffd': '😀 \ufffd \\ud800' })
  })

  it('refuses circular values', () => {
    const loop: any = { n: 2n ** 60n }
    loop.loop = loop
    assert.throws(() => exactJson(loop), TypeError)
  })

  it('uses numbers for integers that a double holds exactly', () => {
    assert.equal(exactInteger('9007199254740991'), 9007199254740991)
    assert.equal(exactInteger('-9007199254740993'), -9007199254740993n)
  })
})
