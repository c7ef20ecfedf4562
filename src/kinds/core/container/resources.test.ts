import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateQuantity } from './resources.js'

const problems = (quantity: string) => {
  const errors = new FieldErrors()
  validateQuantity({ pods: quantity }, 'pods', Path.of('hard'), errors)
  return errors.list.map(e => e.message)
}

test('counts are whole, as far as 64 bits hold their thousandths', () => {
  for (const text of ['0', '3', '2000m', '8Pi', '4Ei', '1E', '9007199254740993', '9223372036854775807'])
    assert.deepEqual(problems(text), [], text)
  for (const text of ['1500m', '9Pi', '1Ei', '10000Ti', '1234567890123456789'])
    assert.deepEqual(problems(text), [`Invalid value: "${text}": must be an integer`], text)
})
