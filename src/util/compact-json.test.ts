import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compactJson } from './compact-json.js'

it('JSON loses its white space and nothing else', () => {
  assert.equal(compactJson(' { "a b" : [ 1.0 ,\n"\\" c\\\\" ],\t"a b":"d  e" }\r\n'), '{"a b":[1.0,"\\" c\\\\"],"a b":"d  e"}')
  assert.equal(compactJson('{"a":1}'), '{"a":1}')
})
