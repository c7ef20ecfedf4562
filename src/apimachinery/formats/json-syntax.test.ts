import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonSyntaxError } from './json-syntax.js'

const malformed: [string, string][] = [
  ['', 'unexpected end of JSON input'],
  ['  ', 'unexpected end of JSON input'],
  ['{"a":', 'unexpected end of JSON input'],
  ['"abc', 'unexpected end of JSON input'],
  ['kind: Pod', "invalid character 'k' looking for beginning of value"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['01', "invalid character '1' after top-level value"],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['[trye]', "invalid character 'y' in literal true (expecting 'u')"],
  ['-', "invalid character ' ' in numeric literal"],
  ['[1.]', "invalid character ']' after decimal point in numeric literal"],
  ['[1e+]', "invalid character ']' in exponent of numeric literal"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['\0', "invalid character '\\x00' looking for beginning of value"],
  ['[é]', "invalid character 'Ã' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['😀', "invalid character 'ð' looking for beginning of value"]
]

for (const [text, message] of malformed) {
  test(`explains ${JSON.stringify(text)}`, () => assert.equal(jsonSyntaxError(text), message))
}

test('returns undefined for well-formed documents', () => {
  for (const text of ['{}', ' [1, -0.5e-3, "\\u00e9\\n", true, false, null] ', '"é😀"', '0', '{"a":{"b":[[],{}]}}\n']) {
    assert.equal(jsonSyntaxError(text), undefined)
  }
})

test('stops at a depth of 10,000', () => {
  assert.equal(jsonSyntaxError('['.repeat(10_000) + ']'.repeat(10_000)), undefined)
  assert.equal(jsonSyntaxError('['.repeat(10_001)), "invalid character '[' exceeded max depth")
})
