import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMediaType } from './media-type.js'

test('a content type is case-insensitive, and may have well-formed parameters', () => {
  for (const text of [
    'application/json',
    'Application/JSON',
    ' application/json ;charset=utf-8',
    'application/json;',
    'application/json; a="x;y"; b=1; B=1'
  ])
    assert.equal(parseMediaType(text), 'application/json', text)
})

test('one malformed parameter makes the whole content type malformed', () => {
  for (const text of [
    '',
    'json',
    'application/',
    'application/json; x',
    'application/json; x=',
    'application/json; a="x',
    'a/b; c=1; c=2',
    'a/b/c'
  ])
    assert.equal(parseMediaType(text), undefined, text)
})

test('parameters are read up to 16,384 characters', () => {
  assert.equal(parseMediaType(`a/b${';c=1'.repeat(4000)}`), 'a/b')
  assert.equal(parseMediaType(`a/b;${'='.repeat(16_383)}`), undefined)
  assert.equal(parseMediaType(`a/b;${'='.repeat(16_384)}`), 'a/b')
})
