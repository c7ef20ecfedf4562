import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldErrors, Path } from '../../validation/field.js'
import { validateSchema } from './validate.js'

function problems(schema: any, hasStatus = false): string[] {
  const errors = new FieldErrors()
  validateSchema(schema, Path.of('s'), hasStatus, errors)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const text = { type: 'string' }
const items = { type: 'object', properties: { k: text }, required: ['k'] }
const preserve = { 'x-kubernetes-preserve-unknown-fields': true }
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserve }

/** The schema of a field, and the expected errors below `s.properties[f]`. */
const fields: [schema: any, ...problems: string[]][] = [
  [text],
  [{}, '.type: Required value: must not be empty for specified object fields'],
  [preserve],
  [
    { type: 'text' },
    '.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"'
  ],
  [{ type: 'array' }, '.items: Required value: must be specified'],
  [{ type: 'array', items: {} }, '.items.type: Required value: must not be empty for specified array items'],
  [{ type: 'array', items: [text] }, '.items: Forbidden: items must be a schema object and not an array'],
  [
    { type: 'object', properties: { a: text }, additionalProperties: text },
    '.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'
  ],
  [{ type: 'object', anyOf: [{ required: ['a'] }], additionalProperties: true }],
  [
    { ...text, anyOf: [{ type: 'string', default: false }] },
    '.anyOf[0].default: Forbidden: must be undefined to be structural',
    '.anyOf[0].type: Forbidden: must be empty to be structural'
  ],
  [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }],
  [
    { 'x-kubernetes-int-or-string': true, ...preserve },
    '.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true'
  ],
  [
    { ...text, pattern: '(' },
    '.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`'
  ],
  [
    { ...text, pattern: '\\' },
    '.pattern: Invalid value: "\\\\": must be a valid regular expression, but isn\'t: error parsing regexp: trailing backslash at end of expression: ``'
  ],
  [{ ...text, $ref: 'x' }, '.$ref: Forbidden: $ref is not supported'],
  [
    { type: 'array', items: text, uniqueItems: true },
    '.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
  ],
  [
    { type: 'array', items, 'x-kubernetes-list-type': 'map' },
    '.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map'
  ],
  [
    {
      type: 'array',
      items: { type: 'object', properties: { k: text } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k']
    },
    '.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
  ],
  [
    { type: 'array', items, 'x-kubernetes-list-type': 'set' },
    '.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set'
  ],
  [
    { type: 'array', items: { ...text, nullable: true }, 'x-kubernetes-list-type': 'set' },
    '.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set'
  ],
  [
    { ...text, 'x-kubernetes-map-type': 'atomic' },
    '.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified'
  ],
  [{ ...text, default: 5 }, '.default: Invalid value: "integer":  in body must be of type string: "integer"'],
  [{ ...items, default: { z: 1, k: '' } }, '.default: Invalid value: {"k":"","z":1}: must not have unknown fields'],
  [{ ...items, default: {} }, '.default.k: Required value'],
  [{ ...embedded, default: { kind: 'X' } }, '.default.apiVersion: Required value'],
  [
    { ...embedded, properties: { metadata: { type: 'object', properties: { name: { ...text, default: '/' } } } } },
    '.properties[metadata].properties[name].default: Invalid value: "/": must result in valid metadata: metadata.name: Invalid value: "/": may not contain \'/\''
  ]
]

describe('validation of a schema', () => {
  for (const [schema, ...expected] of fields) {
    it(`a field: ${JSON.stringify(schema)}`, () =>
      assert.deepEqual(
        problems({ type: 'object', properties: { f: schema } }),
        expected.map(e => `s.properties[f]${e}`)
      ))
  }

  const roots: [schema: any, ...problems: string[]][] = [
    [{}, 's.type: Required value: must not be empty at the root'],
    [{ type: 'object', nullable: true }, 's.nullable: Forbidden: nullable cannot be true at the root'],
    [{ type: 'object', $schema: 'x' }, 's: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported'],
    [{ type: 'object', properties: { metadata: { type: 'object', properties: { name: { ...text, maxLength: 3 } } } } }],
    [
      { type: 'object', properties: { metadata: { type: 'object', required: ['name'] } } },
      's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified'
    ],
    [
      { type: 'object', properties: { kind: { type: 'integer' } } },
      's.properties[kind].type: Invalid value: "integer": must be string'
    ],
    [
      { type: 'object', allOf: [{ properties: { a: {} } }] },
      's.properties[a]: Required value: because it is defined in s.allOf[0].properties[a]'
    ]
  ]
  for (const [schema, ...expected] of roots)
    it(`the root: ${JSON.stringify(schema)}`, () => assert.deepEqual(problems(schema), expected))

  it('forbids validations of the whole object in definitions with a status subresource', () => {
    const schema = { type: 'object', minProperties: 1 }
    assert.deepEqual(problems(schema), [])
    assert.match(problems(schema, true)[0]!, /^s: Invalid value: \{"ID":"",.*"MinProperties":1,.*only \[Description Type /)
  })
})
