import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeName, unescapeName } from './escape.js'

const names = {
  a: 'a',
  'a-b': 'a__dash__b',
  'a.b/c': 'a__dot__b__slash__c',
  a__b: 'a__underscores__b',
  namespace: '__namespace__',
  _x: '_x'
}

for (const [name, escaped] of Object.entries(names))
  test(`${name} is escaped as ${escaped}`, () => {
    assert.equal(escapeName(name), escaped)
    assert.equal(unescapeName(escaped), name)
  })

for (const name of ['', '1a', 'a b', 'a$'])
  test(`${JSON.stringify(name)} cannot be escaped`, () => assert.equal(escapeName(name), undefined))

test('a text that is not the escape of a name unescapes to undefined', () => {
  assert.equal(unescapeName('a__what__b'), undefined)
  assert.equal(unescapeName('a__namespace__b'), undefined)
})
