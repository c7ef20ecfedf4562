import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FieldErrors } from '../validation/field.js'
import { structuralSchema } from './structural.js'
import { statusValidator, valueValidator } from './validate.js'

function problems(properties: any, object: any, old?: any, validator = valueValidator): string[] {
  const errors = new FieldErrors()
  validator(structuralSchema({ type: 'object', properties }))(object, old, errors)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const text = { type: 'string' }
const int = { type: 'integer' }

describe('validation of a value', () => {
  const cases: [schema: any, value: unknown, ...problems: string[]][] = [
    [text, 5, 'v: Invalid value: "integer": v in body must be of type string: "integer"'],
    [text, null, 'v: Invalid value: "null": v in body must be of type string: "null"'],
    [{ ...text, nullable: true }, null],
    [{ type: 'number' }, 5],
    [
      int,
      5.5,
      'v: Invalid value: "number": v in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in v'
    ],
    [
      { ...int, format: 'int32' },
      2 ** 31,
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in v'
    ],
    [{ ...int, maximum: 2 }, 3, 'v: Invalid value: 3: v in body should be less than or equal to 2'],
    [
      { type: 'number', maximum: 1e6, exclusiveMaximum: true },
      1000000.5,
      'v: Invalid value: 1.0000005e+06: v in body should be less than 1e+06'
    ],
    [{ ...int, multipleOf: 5 }, 7, 'v: Invalid value: 7: v in body should be a multiple of 5'],
    [{ ...text, maxLength: 1 }, '😀'],
    [{ ...text, maxLength: 1 }, 'éé', 'v: Too long: may not be more than 1 byte'],
    [{ ...text, minLength: 3, pattern: 'x' }, 'é', 'v: Invalid value: "é": v in body should be at least 3 chars long'],
    [{ ...text, pattern: '^a+$' }, 'ab', 'v: Invalid value: "ab": v in body should match \'^a+$\''],
    [{ ...text, format: 'ipv4' }, '1.2.3', 'v: Invalid value: "1.2.3": v in body must be of type ipv4: "1.2.3"'],
    [{ ...text, format: 'made-up' }, 'anything'],
    [{ ...int, enum: [1, 2] }, 3, 'v: Unsupported value: 3: supported values: "1", "2"'],
    [
      { type: 'array', items: int, maxItems: 1 },
      [1, 'x'],
      'v[1]: Invalid value: "string": v[1] in body must be of type integer: "string"',
      'v: Too many: 2: must have at most 1 item'
    ],
    [
      { type: 'object', additionalProperties: int, minProperties: 2 },
      { k: '' },
      'v: Invalid value: 1: v in body should have at least 2 properties',
      'v.k: Invalid value: "string": v.k in body must be of type integer: "string"'
    ],
    [{ type: 'object', required: ['__proto__'] }, {}, 'v.__proto__: Required value'],
    [
      { 'x-kubernetes-int-or-string': true },
      true,
      'v: Invalid value: "boolean": v in body must be of type integer,string: "boolean"'
    ],
    [
      { ...text, anyOf: [{ pattern: '^a' }, { maxLength: 1 }] },
      'bb',
      '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
      'v: Invalid value: "bb": v in body should match \'^a\''
    ],
    [
      { ...text, oneOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      'ab',
      '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found 2 valid alternatives'
    ],
    [
      { ...text, allOf: [{ pattern: 'a' }] },
      'b',
      'v: Invalid value: "b": v in body should match \'a\'',
      '<nil>: Invalid value: "": "v" must validate all the schemas (allOf). None validated'
    ],
    [{ ...text, not: { enum: ['no'] } }, 'no', '<nil>: Invalid value: "": "v" must not validate the schema (not)'],
    [{ type: 'array', items: text, 'x-kubernetes-list-type': 'set' }, ['a', 'b', 'a', 'a'], 'v[2]: Duplicate value: "a"'],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { b: text, a: int } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b', 'a']
      },
      [
        { b: 'x', a: 1 },
        { a: 1, b: 'x', c: 2 }
      ],
      'v[1]: Duplicate value: {"a":1,"b":"x"}'
    ]
  ]
  for (const [schema, value, ...expected] of cases)
    it(`${JSON.stringify(value)} in ${JSON.stringify(schema)}`, () =>
      assert.deepEqual(problems({ v: schema }, { v: value }), expected))

  it('reports the errors of the alternative that comes closest', () => {
    const v = {
      type: 'object',
      properties: { a: text, b: int },
      anyOf: [{ required: ['c'] }, { properties: { b: { maximum: 1 } }, required: ['b'] }]
    }
    assert.deepEqual(problems({ v }, { v: { a: '', b: 5 } }).slice(1), [
      'v.b: Invalid value: 5: v.b in body should be less than or equal to 1'
    ])
  })

  it('matches a hostile pattern and value in linear time', () => {
    assert.equal(problems({ v: { ...text, pattern: '^(a+)+$' } }, { v: `${'a'.repeat(10_000)}!` }).length, 1)
  })

  it('tries no more alternatives, required fields and values than a request may take', () => {
    const limit = 'Request entity too large: limit is 1000000 checks of alternatives, enums and required fields'
    const list = (items: object) => ({ list: { type: 'array', items } })
    const many = <T>(length: number, item: (i: number) => T) => Array.from({ length }, (_, i) => item(i))
    const object = { type: 'object', properties: { n: int } }
    const cases: [schema: object, item: unknown][] = [
      [{ ...object, anyOf: many(300, i => ({ properties: { n: { minimum: 2 + i } } })) }, { n: 1 }],
      [{ ...object, oneOf: many(300, i => ({ properties: { n: { minimum: 1 - i } } })) }, { n: 1 }],
      [{ ...object, allOf: many(300, i => ({ properties: { n: { minimum: 1 - i } } })) }, { n: 1 }],
      [{ ...object, required: many(3000, i => `k${i}`) }, { n: 1 }],
      [{ ...object, enum: many(3000, i => ({ n: i })) }, { n: 2999 }]
    ]
    for (const [schema, item] of cases) {
      assert.deepEqual(problems(list({ ...schema, required: undefined, enum: undefined }), { list: [] }), [])
      assert.throws(() => problems(list(schema), { list: many(1000, () => item) }), { message: limit })
    }
    const texts = list({ ...text, enum: many(3000, i => `v${i}`) })
    assert.throws(() => problems(texts, { list: many(1000, () => 'w') }), { message: 'too many errors' })
  })

  it('reports the errors of few fields in the order of many', () => {
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, int]))
    assert.deepEqual(
      problems(fields, { f40: 'x', f3: 'y' }).map(problem => problem.slice(0, 5)),
      ['f3: I', 'f40: ']
    )
  })

  it('requires embedded objects to be objects', () => {
    const pod = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
    assert.deepEqual(problems({ pod }, { pod: { apiVersion: 'a/b/c', metadata: { name: 'a/b' } } }), [
      'pod.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      'pod.kind: Required value',
      'pod.metadata.name: Invalid value: "a/b": may not contain \'/\''
    ])
  })
})

describe('validation of an update', () => {
  const short = { ...text, maxLength: 1 }
  const keyed = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', properties: { k: text, v: short } }
  }
  const fields = { a: short, b: text, keyed, list: { type: 'array', items: short } }
  const properties = { spec: { type: 'object', properties: fields } }
  const update = (spec: any, old: any) => problems(properties, { spec }, { spec: old }).map(p => p.split(':')[0])

  it('accepts an invalid value that it does not change', () => {
    assert.deepEqual(update({ a: 'long', b: 'new' }, { a: 'long', b: 'old' }), [])
    assert.deepEqual(update({ a: 'longer' }, { a: 'long' }), ['spec.a'])
    assert.deepEqual(update({ a: 'long' }, {}), ['spec.a'])
  })

  it('correlates items of keyed lists', () => {
    const old = { keyed: [{ k: 'x', v: 'long' }] }
    assert.deepEqual(
      update(
        {
          keyed: [
            { k: 'y', v: '' },
            { k: 'x', v: 'long' }
          ]
        },
        old
      ),
      []
    )
    assert.deepEqual(update({ keyed: [{ k: 'y', v: 'long' }] }, old), ['spec.keyed[0].v'])
  })

  it('compares other lists as a whole', () => {
    assert.deepEqual(update({ list: ['long'], b: 'new' }, { list: ['long'] }), [])
    assert.deepEqual(update({ list: ['long', 'x'] }, { list: ['long'] }), ['spec.list[0]'])
  })

  it('accepts duplicates if the old object has some', () => {
    const set = { set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } }
    assert.deepEqual(problems(set, { set: ['a', 'a', 'b'] }, { set: ['a', 'a'] }), [])
    assert.deepEqual(problems(set, { set: ['a', 'a'] }, { set: ['a'] }), ['set[1]: Duplicate value: "a"'])
  })

  it('validates only the status in an update through the status subresource', () => {
    const properties = { spec: text, status: { type: 'object', properties: { n: int } } }
    assert.deepEqual(problems(properties, { spec: 1, status: { n: 'x' } }, {}, statusValidator), [
      'status.n: Invalid value: "string": n in body must be of type integer: "string"'
    ])
  })
})
