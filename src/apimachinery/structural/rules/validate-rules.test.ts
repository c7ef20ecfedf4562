import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JSONSchemaProps, ValidationRule } from '../../api/generated/apiextensions-v1.js'
import { FieldErrors, Path } from '../../validation/field.js'
import { validateRules } from './validate-rules.js'

const string: JSONSchemaProps = { type: 'string' }
const integer: JSONSchemaProps = { type: 'integer' }

function problems(spec: JSONSchemaProps): string[] {
  const errors = new FieldErrors()
  validateRules({ type: 'object', properties: { spec } }, Path.of('schema'), errors)
  return errors.list.map(e => `${e.field}: ${e.message}`.replace('schema.properties[spec].', ''))
}

const rules = (...list: (ValidationRule | string)[]): JSONSchemaProps => ({
  'x-kubernetes-validations': list.map(rule => (typeof rule === 'string' ? { rule } : rule))
})
const object = (properties: Record<string, JSONSchemaProps>, ...list: (ValidationRule | string)[]): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...rules(...list)
})
const at = 'x-kubernetes-validations[0]'
const names = 'x-y a.b c/d a__b namespace'.split(' ')
const shown = (rule: string) =>
  `{"Rule":"${rule}","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`
const advice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)'

test('rules access properties by their escaped names', () => {
  const rule = 'self.x__dash__y + self.a__dot__b + self.c__slash__d + self.a__underscores__b + self.__namespace__ > 0'
  assert.deepEqual(problems(object(Object.fromEntries(names.map(n => [n, integer])), rule)), [])
})

test('rules access properties named by reserved words as they are, too', () => {
  const properties = { namespace: integer, if: integer }
  assert.deepEqual(problems(object(properties, 'self.namespace + self.if + self.__if__ > 0 && has(self.namespace)')), [])
  assert.match(problems(object(properties, 'self.for > 0'))[0]!, /undefined field 'for'/)
})

test('rules cannot access unknown fields', () => {
  const found = problems({ ...object({ a: integer }, 'self.b > 0'), 'x-kubernetes-preserve-unknown-fields': true })
  assert.deepEqual(found, [
    `${at}.rule: Invalid value: ${shown('self.b \\u003e 0')}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 0\n | ....^`
  ])
})

test('a rule must be a condition, and a message expression a string', () => {
  assert.deepEqual(problems(object({ n: integer }, 'self.n + 1')), [
    `${at}.rule: Invalid value: ${shown('self.n + 1')}: cel expression must evaluate to a bool`
  ])
  assert.match(
    problems(object({ n: integer }, { rule: 'true', messageExpression: 'self.n' }))[0]!,
    /messageExpression must evaluate to a string$/
  )
})

test('a rule whose constants fail cannot run', () => {
  assert.match(
    problems(object({}, "int('x') == 1"))[0]!,
    /program instantiation failed: type conversion error from 'string' to 'int'$/
  )
})

for (const [what, rule, expected] of [
  ['a blank rule', { rule: ' ' }, 'rule: Required value: rule is not specified'],
  ['a blank message', { rule: 'true', message: ' ' }, 'message: Invalid value: " ": must be non-empty if specified'],
  ['a message of two lines', { rule: 'true', message: 'a\nb' }, 'message: Invalid value: "a\\nb": must not contain line breaks'],
  [
    'a rule of two lines without a message',
    { rule: 'true ||\ntrue' },
    'message: Required value: message must be specified if rule contains line breaks'
  ],
  [
    'a blank message expression',
    { rule: 'true', messageExpression: ' ' },
    'messageExpression: Required value: messageExpression must be non-empty if specified'
  ],
  [
    'an unknown reason',
    { rule: 'true', reason: 'X' },
    'reason: Unsupported value: "X": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"'
  ],
  ['a path to nowhere', { rule: 'true', fieldPath: '.q' }, 'fieldPath: Invalid value: ".q": must be a valid path'],
  ['a path without a dot', { rule: 'true', fieldPath: 'n' }, 'fieldPath: Invalid value: "n": must be a valid path'],
  ['a path into a list', { rule: 'true', fieldPath: '.l[0]' }, 'fieldPath: Invalid value: ".l[0]": must be a valid path'],
  [
    'oldSelf optional but unused',
    { rule: 'true', optionalOldSelf: true },
    'optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule'
  ]
] as const)
  test(`refuses ${what}`, () => {
    assert.deepEqual(problems(object({ n: integer, l: { type: 'array', items: integer } }, rule)), [`${at}.${expected}`])
  })

test('a fieldPath may contain properties and keys of maps', () => {
  const o = { type: 'object', properties: { 'a-b': { type: 'object', additionalProperties: integer } } }
  assert.deepEqual(problems(object({ o }, { rule: 'true', fieldPath: ".o['a-b'].k" })), [])
})

test('rules of a flawed schema are not compiled', () => {
  assert.deepEqual(problems(object({ n: integer }, ' ', 'self.zz')), [`${at}.rule: Required value: rule is not specified`])
})

test('oldSelf needs items that correlate', () => {
  const item = object({ k: string, v: integer }, 'self.v >= oldSelf.v')
  const list: JSONSchemaProps = { type: 'array', maxItems: 3, items: { ...item, required: ['k'] } }
  const within = 'schema.properties[spec].properties[l]'
  assert.deepEqual(problems(object({ l: list })), [
    `properties[l].items.${at}.rule: Invalid value: "self.v >= oldSelf.v": oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`
  ])
  const map: JSONSchemaProps = { ...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
  assert.deepEqual(problems(object({ l: map })), [])
})

test('rules access only the name of the metadata, at the root and in embedded resources', () => {
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
  assert.deepEqual(problems({ ...embedded, ...rules("self.metadata.name != '' && self.kind == 'Pod'") }), [])
  assert.match(problems({ ...embedded, ...rules('has(self.metadata.labels)') })[0]!, /undefined field 'labels'/)
})

test('rules that cost too much are refused, with their shares of the total', () => {
  const s = { ...string, ...rules("self.contains('x')") }
  const deep = { type: 'array', items: { type: 'object', properties: { m: { type: 'array', items: s } } } }
  const place = `properties[l].items.properties[m].items.${at}.rule`
  assert.deepEqual(problems(object({ l: deep })), [
    `${place}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
    `${place}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
    `schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${advice}`
  ])
})

test('names are as long as names can be, or as the schema lets them', () => {
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
  // as many squares as the greatest length of a name allows, and no more
  const check = (field: string) => `self.metadata.${field}.matches('${'a'.repeat(2000)}')`
  const withMetadata = (rule: string, more: object = {}) => problems({ ...embedded, ...more, ...rules(rule) })
  for (const field of ['name', 'generateName']) assert.deepEqual(withMetadata(check(field)), [])
  assert.match(withMetadata(check('name').replace('metadata.name', 'kind'))[0]!, /estimated rule cost exceeds budget/)
  const names = (maxLength: number) => ({
    properties: { metadata: { type: 'object', properties: { name: { ...string, maxLength } } } }
  })
  const all = "['a', 'b'].all(x, self.metadata.name.contains(x))"
  assert.deepEqual(withMetadata(all, names(10)), [])
})

test('declared limits bound the cost', () => {
  const s = { ...string, maxLength: 10, ...rules("self.contains('x')") }
  assert.deepEqual(problems({ type: 'array', maxItems: 1000, items: s }), [])
  const all = (maxItems: number) =>
    object({ l: { type: 'array', maxItems, items: integer } }, 'self.l.all(x, self.l.all(y, x == y))')
  assert.deepEqual(problems(all(1000)), [])
  assert.deepEqual(problems(all(1500)), [
    `${at}.rule: Forbidden: estimated rule cost exceeds budget by factor of 1.125900x ${advice}`
  ])
})
