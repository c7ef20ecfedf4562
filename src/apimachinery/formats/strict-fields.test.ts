import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from '../schema/load.js'
import { strictFieldErrors } from './strict-fields.js'

const pod = loadSchema().type('core.v1.Pod')

test('duplicate and unknown fields come in the order of the document', () => {
  const containers = '[{"image":"i"},{"imagePolicy":1,"image":"i","image":"j"}]'
  const text = `{"extra":1,"metadata":{"name":"a","odd":0,"name":"b"},"spec":{"containers":${containers}}}`
  assert.deepEqual(strictFieldErrors(text, pod), [
    'unknown field "extra"',
    'unknown field "metadata.odd"',
    'duplicate field "metadata.name"',
    'unknown field "spec.containers[1].imagePolicy"',
    'duplicate field "spec.containers[1].image"'
  ])
})

test('fields below an unknown field, or in a value with its own decoder, are not checked', () => {
  const managedFields = '[{"fieldsV1":{"f:a":{},"f:a":{}}}]'
  const text = `{"extra":{"a":1,"a":2},"extra":[],"metadata":{"managedFields":${managedFields},"labels":{"a":"1","a":"2"}}}`
  assert.deepEqual(strictFieldErrors(text, pod), ['unknown field "extra"', 'duplicate field "metadata.labels.a"'])
})

test('without a type only duplicates are reported', () => {
  assert.deepEqual(strictFieldErrors('[{"a":1,"\\u0061":{"":{"b":1,"b":2}}}]', 'any'), [
    'duplicate field "[0].a"',
    'duplicate field "[0].a..b"'
  ])
})

test('stops after 100 errors', () => {
  const text = `{${Array.from({ length: 500 }, (_, i) => `"x${i}":${i}`).join()}}`
  assert.equal(strictFieldErrors(text, pod).length, 100)
})
