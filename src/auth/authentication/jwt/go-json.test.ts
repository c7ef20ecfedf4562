import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TokenError } from '../authenticator.js'
import { goBool, goField, goObject, goSeconds, goText, goTexts } from './go-json.js'

const seconds = (value: unknown) => goSeconds(value, 'Go struct field t.exp')
const refuses = (run: () => unknown, message: string) => assert.throws(run, { constructor: TokenError, message })

describe('JSON as Go reads it', () => {
  it('is text, where null is empty', () => {
    for (const [value, text] of [
      ['a', 'a'],
      [null, ''],
      [undefined, '']
    ] as const)
      assert.equal(goText(value), text)
    refuses(() => goText(5), 'json: cannot unmarshal number into Go value of type string')
    refuses(() => goText({}, 'Go struct field a.b'), 'json: cannot unmarshal object into Go struct field a.b of type string')
  })

  it('is a boolean', () => {
    assert.deepEqual([goBool(true), goBool(false), goBool(null)], [true, false, false])
    for (const value of [0, 'true', {}, undefined]) assert.throws(() => goBool(value), TokenError)
  })

  it('is a list of texts', () => {
    assert.deepEqual(goTexts(['a', null]), ['a', ''])
    assert.deepEqual(goTexts(null), [])
    refuses(() => goTexts('a'), 'json: cannot unmarshal string into Go value of type []string')
    refuses(() => goTexts([5]), 'json: cannot unmarshal number into Go value of type string')
  })

  it('is an object', () => {
    assert.deepEqual([goObject({ a: 1 }, 'x', 'y'), goObject(null, 'x', 'y'), goObject(undefined, 'x', 'y')], [{ a: 1 }, {}, {}])
    for (const value of [[], 'a', 5, true]) assert.throws(() => goObject(value, 'x', 'y'), TokenError)
  })

  for (const [value, expected] of [
    [5, 5],
    [5.9, 5],
    [-5.9, -5],
    [0, 0],
    ['5', 5],
    ['5.9e1', 59],
    ['-5E+1', -50],
    ['0.5', 0],
    [2 ** 62, 2 ** 62],
    [2 ** 63, Infinity],
    [-(2 ** 63), -Infinity],
    [10n ** 30n, Infinity],
    [5n, 5]
  ] as const)
    it(`is seconds: ${value}`, () => assert.equal(seconds(value) + 0, expected))

  for (const value of ['05', '', 'x', '5.', '.5', '+5', '5e', '0x5', ' 5', 'Infinity'])
    it(`is no number of seconds: ${JSON.stringify(value)}`, () =>
      refuses(() => seconds(value), `json: invalid number literal, trying to unmarshal "\\"${value}\\"" into Number`))

  it('is no number of seconds beyond doubles, or of another type', () => {
    refuses(() => seconds('1e999'), 'strconv.ParseFloat: parsing "1e999": value out of range')
    refuses(() => seconds(null), 'strconv.ParseFloat: parsing "": invalid syntax')
    refuses(() => seconds(true), 'json: cannot unmarshal bool into Go struct field t.exp of type json.Number')
    refuses(() => seconds({}), 'json: cannot unmarshal object into Go struct field t.exp of type json.Number')
  })

  it('has fields in any letter case, the last of which counts', () => {
    assert.equal(goField({ a: 1, A: 2 }, 'a'), 2)
    assert.equal(goField({ A: 2, a: 1 }, 'a'), 1)
    assert.equal(goField({ 'i\u017fs': 1 }, 'iss'), 1)
    assert.equal(goField({ b: 1 }, 'a'), undefined)
    assert.equal(goField({ jwks_URI: 1 }, 'jwks_uri'), 1)
  })
})
