import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateDomainAndName, validateFullName } from './domain-and-name.js'
import { FieldErrors, Path } from './field.js'

const rules = { domain: 'prefix', name: 'name', validateDomain() {} }
const problems = (validate: typeof validateFullName, text: string) => {
  const errors = new FieldErrors()
  validate(text, Path.of('name'), errors, rules)
  return errors.list.map(error => error.message)
}

test('names of devices have two parts that are not empty', () => {
  for (const text of ['memory', 'example.com/memory', 'a/b/c']) assert.deepEqual(problems(validateDomainAndName, text), [])
  assert.match(problems(validateDomainAndName, '/memory').join(), /prefix must not be empty/)
  assert.match(problems(validateDomainAndName, 'example.com/').join(), /name must not be empty/)
  assert.equal(problems(validateDomainAndName, `example.com/${'a'.repeat(33)}`).length, 1)
  assert.equal(problems(validateFullName, 'memory').length, 1)
})
