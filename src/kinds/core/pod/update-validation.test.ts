import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from '../../../apimachinery/schema/decode.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { validatePodUpdate } from './update-validation.js'

const pod = (spec: object) => decode(loadSchema().type('core.v1.Pod'), { metadata: { name: 'p' }, spec }).object

test('an empty list of init containers is shown as none in the changes that are refused', () => {
  const errors = new FieldErrors()
  const before = pod({ containers: [{ name: 'c', image: 'i' }] })
  validatePodUpdate(pod({ containers: [{ name: 'd', image: 'i' }], initContainers: [] }), before, errors)
  const [found, ...others] = errors.list.map(({ message }) => message)
  assert.deepEqual(others, [])
  assert.match(found!, /-\s+"Name": "c",\n\+\s+"Name": "d",/)
  assert.doesNotMatch(found!, /"InitContainers": \[\]/)
})
