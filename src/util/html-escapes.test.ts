import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactJson, unescapedJson } from './exact-json.js'
import { lacksHtmlEscapes, withHtmlEscapes } from './html-escapes.js'

const special = '<>&\u2028\u2029'
const escapes = '\\u003c\\u003e\\u0026\\u2028\\u2029'

test('JSON has the escapes of Go', () => {
  assert.equal(exactJson({ [special]: [`${special}\u007fé😀`] }), `{"${escapes}":["${escapes}\u007fé😀"]}`)
  assert.equal(exactJson({ a: 2n ** 60n, b: '<' }, 1), '{\n "a": 1152921504606846976,\n "b": "\\u003c"\n}')
  assert.equal(exactJson(undefined), undefined)
  assert.equal(unescapedJson(special), `"${special}"`)
})

test('each special character alone is escaped, and missed in bytes that have it', () => {
  for (const char of special) {
    const json = `"a${char}b"`
    const written = withHtmlEscapes(json)
    assert.equal(written, `"a\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}b"`)
    assert.equal(JSON.parse(written), JSON.parse(json))
    assert.equal(lacksHtmlEscapes(Buffer.from(json)), true, json)
    assert.equal(lacksHtmlEscapes(Buffer.from(written)), false, written)
  }
})

test('other text stays as it is', () => {
  const json = JSON.stringify('plain, é, \u2027, \u202a, \ue2e2, 😀, \u0001, "\\u003c"')
  assert.equal(withHtmlEscapes(json), json)
  assert.equal(lacksHtmlEscapes(Buffer.from(json)), false)
})
