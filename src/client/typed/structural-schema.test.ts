import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { structuralSchema } from './structural-schema.js'

const any = { 'x-kubernetes-preserve-unknown-fields': true }
const object = (properties: object, others: object = {}) => ({ type: 'object', properties, ...others })
/** The schema of one field. */
const fieldOf = (field: object | boolean) => (structuralSchema(object({ field })).properties as { field: object }).field

describe('structural schemas', () => {
  test('a structural schema stays as it is', () => {
    const schema = object(
      {
        spec: object(
          {
            port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
            level: { type: 'string', enum: ['a', 'b'], nullable: true },
            tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            free: { type: 'object', ...any },
            low: { type: 'integer', minimum: 1, exclusiveMinimum: true }
          },
          { anyOf: [{ required: ['port'] }, { required: ['level'] }], required: ['tags'] }
        ),
        ['__proto__']: { type: 'string' }
      },
      { 'x-kubernetes-validations': [{ rule: 'has(self.spec)' }] }
    )
    assert.deepEqual(structuralSchema(schema), schema)
  })

  test('takes what libraries write', () => {
    const cases: [object | boolean, object][] = [
      [
        { type: ['string', 'null'], enum: ['a'] },
        { type: 'string', enum: ['a', null], nullable: true }
      ],
      [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, { type: 'integer', minimum: 1, nullable: true }],
      [{ const: 'a' }, { type: 'string', enum: ['a'] }],
      [
        {
          anyOf: [
            { const: 'a', type: 'string' },
            { const: 'b', type: 'string' }
          ]
        },
        { type: 'string', enum: ['a', 'b'] }
      ],
      [{ anyOf: [{ const: 1 }, { const: null }] }, { type: 'number', enum: [1, null], nullable: true }],
      [{ type: ['integer', 'string'] }, { 'x-kubernetes-int-or-string': true }],
      [{ type: ['number', 'string'] }, { 'x-kubernetes-int-or-string': true }],
      [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, { 'x-kubernetes-int-or-string': true }],
      [
        { type: 'number', exclusiveMinimum: 0 },
        { type: 'number', minimum: 0, exclusiveMinimum: true }
      ],
      [
        { type: 'number', exclusiveMaximum: 9 },
        { type: 'number', maximum: 9, exclusiveMaximum: true }
      ],
      [object({ a: { type: 'string' } }, { additionalProperties: false }), object({ a: { type: 'string' } })],
      [object({ a: { type: 'string' } }, { additionalProperties: {} }), object({ a: { type: 'string' } }, any)],
      [
        { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'integer' } },
        { type: 'object', additionalProperties: { type: 'integer' } }
      ],
      [
        { type: 'object', patternProperties: { '^(.*)$': { type: 'string' } } },
        { type: 'object', additionalProperties: { type: 'string' } }
      ],
      [{ type: 'array' }, { type: 'array', items: any }],
      [{ $schema: 'x', $comment: 'y', examples: [1] }, any],
      [true, any]
    ]
    for (const [given, expected] of cases) assert.deepEqual(fieldOf(given), expected, JSON.stringify(given))
  })

  test('replaces references by what they refer to', () => {
    const schema = structuralSchema({
      ...object({ a: { $ref: '#/$defs/size', description: 'mine' }, b: { type: 'array', items: { $ref: '#/$defs/a~1b' } } }),
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { size: { type: 'integer' }, 'a/b': { $ref: '#/$defs/size' } }
    })
    assert.deepEqual(
      schema,
      object({ a: { type: 'integer', description: 'mine' }, b: { type: 'array', items: { type: 'integer' } } })
    )
  })

  test('names the path of what definitions cannot express', () => {
    const cases: [object | boolean, RegExp][] = [
      [
        { type: 'array', items: { anyOf: [{ type: 'object' }, { type: 'string' }] } },
        /of field\[\] .*no unions of several types \(anyOf\)/
      ],
      [object({ deep: { type: 'null' } }), /of field\.deep .*no null alone/],
      [{ type: 'array', prefixItems: [] }, /of field .*no prefixItems/],
      [false, /of field .*false allows no value/],
      [{ $ref: 'https://example.com/x' }, /of field .*"https:\/\/example.com\/x" leads elsewhere/],
      [{ $ref: '#/$defs/none' }, /of field .*nothing is at #\/\$defs\/none/],
      [{ $ref: '#' }, /of field\.field .*# leads to itself/],
      [{ type: ['integer', 'boolean'] }, /of field .*one type, not integer, boolean/],
      [{ anyOf: [{ const: 1 }, { const: 'a' }] }, /of field .*of several types/],
      [object({ a: {} }, { additionalProperties: { type: 'string' } }), /of field .*either properties or additionalProperties/],
      [{ type: 'object', patternProperties: { '^x-': {} } }, /of field .*no patternProperties/],
      [{ type: 'object', propertyNames: { pattern: 'x' } }, /of field .*no propertyNames/]
    ]
    for (const [given, expected] of cases) assert.throws(() => fieldOf(given), expected, JSON.stringify(given))
  })

  test('references that multiply are refused in good time', () => {
    const $defs: Record<string, object> = { d0: { type: 'string' } }
    for (let i = 1; i < 40; i++) $defs[`d${i}`] = object({ a: { $ref: `#/$defs/d${i - 1}` }, b: { $ref: `#/$defs/d${i - 1}` } })
    assert.throws(() => structuralSchema({ ...object({ a: { $ref: '#/$defs/d39' } }), $defs }), /more than 100000 schemas/)
  })

  test('asks a schema of a library for its JSON Schema', () => {
    const json = object({ spec: { type: ['string', 'null'] } })
    const targets: string[] = []
    const input = ({ target }: { target: string }) => {
      targets.push(target)
      return json
    }
    const library = { '~standard': { version: 1, vendor: 'acme', jsonSchema: { input } } }
    assert.deepEqual(structuralSchema(library), object({ spec: { type: 'string', nullable: true } }))
    assert.deepEqual(targets, ['draft-2020-12'])
    // Zod's schemas are objects, ArkType's are functions
    assert.deepEqual(structuralSchema(Object.assign(() => {}, library)), object({ spec: { type: 'string', nullable: true } }))
    const old = { '~standard': { version: 1, vendor: 'acme' } }
    assert.throws(
      () => structuralSchema(old),
      /of acme does not implement Standard JSON Schema: pass what the library makes of it/
    )
  })
})
