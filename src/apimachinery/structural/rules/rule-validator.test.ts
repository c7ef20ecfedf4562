import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnsDuring } from '../../../testkit/turns.js'
import type { JSONSchemaProps, ValidationRule } from '../../api/generated/apiextensions-v1.js'
import { inTurns } from '../../cel/compile-turns.js'
import { FieldErrors, Path } from '../../validation/field.js'
import { structuralSchema } from '../structural.js'
import { ruleValidator } from './rule-validator.js'

const string: JSONSchemaProps = { type: 'string' }
const integer: JSONSchemaProps = { type: 'integer' }
const rules = (...list: (ValidationRule | string)[]): JSONSchemaProps => ({
  'x-kubernetes-validations': list.map(rule => (typeof rule === 'string' ? { rule } : rule))
})
const object = (properties: Record<string, JSONSchemaProps>, ...list: (ValidationRule | string)[]): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...rules(...list)
})

function validate(schema: JSONSchemaProps, value: unknown, old?: unknown, budget?: number) {
  const errors = new FieldErrors()
  const warnings = ruleValidator(structuralSchema(schema), false)!.validate(value, old, Path.of('spec'), errors, budget)
  return { errors: errors.list.map(e => `${e.field}: ${e.message}`), warnings }
}

const failures = (schema: JSONSchemaProps, value: unknown, old?: unknown) => validate(schema, value, old).errors

test('a schema without rules needs no validator', () => {
  assert.equal(ruleValidator(structuralSchema(object({ a: string }))), undefined)
})

test('errors show scalars, but not objects and lists', () => {
  assert.deepEqual(failures({ ...integer, ...rules('self < 10') }, 10), ['spec: Invalid value: 10: failed rule: self < 10'])
  assert.deepEqual(failures(object({ a: integer }, 'self.a < 1'), { a: 1 }), ['spec: Invalid value: failed rule: self.a < 1'])
})

test('errors have the message, reason and field path of the rule', () => {
  const schema = object(
    { a: string },
    { rule: 'has(self.a)', reason: 'FieldValueRequired', fieldPath: '.a', message: ' a is needed ' },
    { rule: 'false', reason: 'FieldValueForbidden' },
    { rule: 'false', reason: 'FieldValueDuplicate' },
    { rule: 'false', messageExpression: "'has ' + string(1 + 1)", message: 'otherwise' },
    { rule: 'false', messageExpression: '[self][1].a', message: 'otherwise' },
    { rule: 'false', messageExpression: "'two\\nlines'" }
  )
  assert.deepEqual(failures(schema, {}), [
    'spec.a: Required value: a is needed',
    'spec: Forbidden: failed rule: false',
    'spec: Duplicate value',
    'spec: Invalid value: has 2',
    'spec: Invalid value: otherwise',
    'spec: Invalid value: failed rule: false'
  ])
})

test('an unchanged value that no longer fits its schema is reported by its Go type', () => {
  const schema = object({ a: string }, "self.a == 'x'")
  for (const [value, type] of [
    [1, 'int64'],
    [1.5, 'float64'],
    [[], '[]interface {}'],
    [{}, 'map[string]interface {}']
  ])
    assert.deepEqual(failures(schema, { a: value }), [
      `spec: Invalid value: "object": invalid data, expected string, got ${type} evaluating rule: self.a == 'x'`
    ])
})

test('errors while evaluating name the type of the value', () => {
  const range = object({ min: integer, max: integer }, 'self.min <= self.max')
  assert.deepEqual(failures(range, { min: 1 }), [
    'spec: Invalid value: "object": no such key: max evaluating rule: self.min <= self.max'
  ])
  const either: JSONSchemaProps = { 'x-kubernetes-int-or-string': true, ...rules('self > 5') }
  assert.deepEqual(failures(either, 'x'), [
    `spec: Invalid value: "": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self > 5`
  ])
})

test('rules inside lists, maps and properties are run', () => {
  const positive = { ...integer, ...rules('self > 0') }
  const schema = object({ l: { type: 'array', items: positive }, m: { type: 'object', additionalProperties: positive } })
  assert.deepEqual(failures(schema, { l: [1, 0], m: { a: 1, b: -1 } }), [
    'spec.l[1]: Invalid value: 0: failed rule: self > 0',
    'spec.m[b]: Invalid value: -1: failed rule: self > 0'
  ])
})

test('transition rules run only for values with an old state', () => {
  const schema = { ...integer, ...rules('self >= oldSelf') }
  assert.deepEqual(failures(schema, 1), [])
  assert.deepEqual(failures(schema, 1, 2), ['spec: Invalid value: 1: failed rule: self >= oldSelf'])
  const optional = { ...integer, ...rules({ rule: 'oldSelf.hasValue() || self == 0', optionalOldSelf: true }) }
  assert.deepEqual(failures(optional, 1), ['spec: Invalid value: 1: failed rule: oldSelf.hasValue() || self == 0'])
  assert.deepEqual(failures(optional, 1, 5), [])
})

const keyed: JSONSchemaProps = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { ...object({ k: string, v: integer }, 'self.v >= oldSelf.v', 'self.v < 10'), required: ['k'] }
}

test('keyed items find their old state at any position', () => {
  const before = [
    { k: 'b', v: 6 },
    { k: 'a', v: 1 }
  ]
  const after = [
    { k: 'a', v: 1 },
    { k: 'b', v: 5 }
  ]
  assert.deepEqual(failures(keyed, after, before), ['spec[1]: Invalid value: failed rule: self.v >= oldSelf.v'])
})

test('a default is validated as if it stayed, and as if it were new', () => {
  const check = (schema: object, value: unknown) => {
    const errors = new FieldErrors()
    ruleValidator(structuralSchema(schema as any), false)?.validateDefault(value, Path.of('spec'), errors)
    return errors.list.map(e => e.message)
  }
  assert.deepEqual(check({ ...integer, ...rules('self > oldSelf') }, 1), ['Invalid value: 1: failed rule: self > oldSelf'])
  assert.deepEqual(check({ ...integer, ...rules('self == oldSelf') }, 1), [])
  const optional = { ...integer, ...rules({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }) }
  assert.deepEqual(check(optional, 1), ['Invalid value: 1: failed rule: oldSelf.hasValue()'])
  // one failure is not told twice
  assert.equal(check({ ...integer, ...rules('self > 5') }, 1).length, 1)
})

test('a failure of an unchanged value is only a warning, unless the rule is a transition rule', () => {
  const schema = object({ a: { ...integer, ...rules('self < 5') }, b: { ...integer, ...rules('self < 5') } })
  assert.deepEqual(validate(schema, { a: 7, b: 8 }, { a: 7, b: 7 }), {
    errors: ['spec.b: Invalid value: 8: failed rule: self < 5'],
    warnings: ['spec.a: Invalid value: 7: failed rule: self < 5']
  })
  const transition = { ...integer, ...rules('self > oldSelf') }
  assert.deepEqual(failures(transition, 1, 1), ['spec: Invalid value: 1: failed rule: self > oldSelf'])
})

test('items without keys count as changed when their list has changed', () => {
  const list = { type: 'array', items: { ...integer, ...rules('self < 5') } }
  assert.deepEqual(validate(list, [7], [7]), { errors: [], warnings: ['spec[0]: Invalid value: 7: failed rule: self < 5'] })
  assert.deepEqual(failures(list, [7, 1], [7]), ['spec[0]: Invalid value: 7: failed rule: self < 5'])
})

test('sets and keyed lists compare without order', () => {
  const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: string, ...rules('self == oldSelf') }
  assert.deepEqual(failures(set, ['a', 'b'], ['b', 'a']), [])
  const union = { ...set, ...rules("(self + ['a', 'c']).size() == 3") }
  assert.deepEqual(failures(union, ['a', 'b']), [])
  const repeated = { ...set, ...rules("self != ['a', 'a'] && ['b'] + self == ['b', 'b', 'a']") }
  assert.deepEqual(failures(repeated, ['b', 'a']), [])
  const items = { ...object({ k: string, v: integer }), required: ['k'] }
  assert.deepEqual(failures({ ...keyed, items, ...rules('self != [self[0], self[0]]') }, [{ k: 'a' }, { k: 'b' }]), [])
})

test('sets have no lists and objects', () => {
  const properties = { s: { type: 'array', 'x-kubernetes-list-type': 'set', items: string }, m: keyed }
  const failed = (rule: string) => failures({ ...object(properties), ...rules(rule) }, { s: ['a'], m: [{ k: 'a' }] })
  for (const rule of ['dyn(self.s) == dyn(self.m)', 'size(dyn(self.s) + dyn(self.m)) > 0'])
    assert.match(failed(rule)[0]!, /listSet operations are only supported on lists of scalar values/)
})

test('a key that expressions know by another name does not tell items apart, except in sums', () => {
  const schema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['if'],
    items: { ...object({ if: string }), required: ['if'] }
  }
  const value = [{ if: 'a' }, { if: 'b' }]
  assert.equal(failures({ ...schema, ...rules('self == self') }, value).length, 1)
  assert.deepEqual(failures({ ...schema, ...rules('self + self == self + []') }, value), [])
})

test('a dot before a name leaves out the variables of macros', () => {
  const schema = object(
    { a: { type: 'array', items: string } },
    '[1].all(self, self == 1 && .self.a.all(self, self.size() == 1))'
  )
  assert.deepEqual(failures(schema, { a: ['x'] }), [])
})

test('formatted strings are times, durations and bytes', () => {
  const format = (f: string) => ({ type: 'string', format: f })
  const properties = { d: format('date'), t: format('date-time'), u: format('duration'), b: format('byte') }
  const rule =
    "self.d < timestamp('2025-01-01T00:00:00Z') && self.t.getFullYear() == 2024 && self.u == duration('3h') && size(self.b) == 2"
  assert.deepEqual(
    failures(object(properties, rule), { d: '2024-03-01', t: '2024-01-01T00:00:00Z', u: '3 hours', b: 'aGk=' }),
    []
  )
})

test('null counts as missing, and has no rules', () => {
  const schema = object({ a: { ...string, nullable: true, ...rules('false') } }, '!has(self.a)')
  assert.deepEqual(failures(schema, { a: null }), [])
})

test('rules stop when the budget is used up', () => {
  const list = { type: 'array', items: { ...integer, ...rules('self > 0') } }
  assert.deepEqual(validate(list, [1, 2, 0, 0], undefined, 5).errors, [
    'spec[2]: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run'
  ])
})

test('the root has no path', () => {
  const errors = new FieldErrors()
  const schema = structuralSchema({ type: 'object', ...rules("self.metadata.name != 'x'") })
  ruleValidator(schema)!.validate({ metadata: { name: 'x' } }, undefined, undefined, errors)
  assert.deepEqual(errors.list, [
    { reason: 'FieldValueInvalid', field: '<nil>', message: "Invalid value: failed rule: self.metadata.name != 'x'" }
  ])
})

/** Rules that are evaluated for each of many items. */
const forEach = (count: number) => ({
  schema: { type: 'array', items: { ...integer, ...rules(...Array.from({ length: 20 }, (_, i) => `self != ${-i}`)) } },
  list: Array.from({ length: count }, (_, i) => count - 1 - i)
})

test('many rules give others their turns, and none is evaluated again', async () => {
  const { schema, list } = forEach(20_000)
  const validator = ruleValidator(structuralSchema(schema), false)!
  let attempts = 0
  let found: string[] = []
  const turns = await turnsDuring(() =>
    inTurns(() => {
      attempts++
      const errors = new FieldErrors()
      validator.validate(list, undefined, Path.of('spec'), errors)
      found = errors.list.map(({ field }) => field)
    })
  )
  assert.deepEqual(found, ['spec[19999]'])
  assert.ok(attempts > 3 && turns >= attempts - 1, `${attempts} attempts, ${turns} turns`)
})

test('a validation that nobody waits for ends after its turn', async () => {
  const { schema, list } = forEach(20_000)
  const validator = ruleValidator(structuralSchema(schema), false)!
  let finished = false
  const validate = () => {
    validator.validate(list, undefined, undefined, new FieldErrors())
    finished = true
  }
  const leave = () => {
    throw new Error('the client has left')
  }
  await assert.rejects(async () => inTurns(validate, leave), { message: 'the client has left' })
  assert.equal(finished, false)
})

test('steps that no cost explains are free up to a limit for the whole object', () => {
  // cel-go charges nothing for the size of a map, but its keys have to be listed
  const item = { type: 'object', additionalProperties: integer, ...rules('size(self) > 0') }
  const large = Object.fromEntries(Array.from({ length: 7000 }, (_, i) => [`k${i}`, i]))
  const ofMaps = (count: number) => validate({ type: 'array', items: item }, Array(count).fill(large), undefined, 100_000).errors
  assert.deepEqual(ofMaps(20), [])
  assert.match(ofMaps(80).at(-1)!, /running out of cost budget/)
})
