import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaulter } from './defaults.js'
import { structuralSchema } from './structural.js'

const schema: any = {
  type: 'object',
  properties: {
    mode: { type: 'string', default: 'slow' },
    maybe: { type: 'string', nullable: true, default: 'd' },
    made: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 7 } } },
    plain: { type: 'string' },
    list: { type: 'array', items: { type: 'object', properties: { p: { type: 'string', default: 'TCP' } } } },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { w: { type: 'number', default: 0.5 } } } }
  }
}
const fill = defaulter(structuralSchema(schema))

function filled(object: any): any {
  fill(object)
  return object
}

describe('defaulting', () => {
  const all = { mode: 'slow', maybe: 'd', made: { b: 7 } }
  const cases: [string, object, object][] = [
    ['fills in what is missing, and inside what it filled in', {}, all],
    ['leaves what is given', { mode: '', made: { b: 0 } }, { ...all, mode: '', made: { b: 0 } }],
    ['takes a null for missing, unless the schema allows it', { mode: null, maybe: null, plain: null }, { ...all, maybe: null }],
    [
      'goes into lists and maps',
      { list: [{}, null], map: { a: {} } },
      { ...all, list: [{ p: 'TCP' }, null], map: { a: { w: 0.5 } } }
    ]
  ]
  for (const [what, given, expected] of cases) it(what, () => assert.deepEqual(filled(given), expected))

  it('refuses defaults that would make gigabytes of an object', () => {
    const large = (value: unknown) => defaulter(structuralSchema({ ...listOf(value), type: 'object' } as any))
    const listOf = (value: unknown) => ({
      properties: { l: { type: 'array', items: { type: 'object', properties: { d: { type: 'object', default: value } } } } }
    })
    const items = (length: number) => ({ l: Array.from({ length }, () => ({})) })
    const message = 'Request entity too large: limit is 3145728 bytes and 100000 values of defaults'
    assert.throws(() => large({ text: 'x'.repeat(10_000) })(items(400)), { message })
    assert.throws(() => large({ a: 1, b: [2] })(items(30_000)), { message })
    const object = items(200)
    large({ text: 'x'.repeat(10_000) })(object)
    assert.equal((object.l[199] as any).d.text.length, 10_000)
    // it may have been stored before the definition got larger defaults
    large({ text: 'x'.repeat(10_000) })(items(2000), { isStored: true })
    assert.throws(
      () => large({ text: 'x'.repeat(10_000) })(items(4000), { isStored: true }),
      /limit is 31457280 bytes and 1000000 /
    )
  })

  it('never shares a default between objects', () => {
    filled({}).made.b = 1
    assert.equal(filled({}).made.b, 7)
  })

  it('leaves nulls in applied objects, which validation refuses if the schema has a type', () => {
    const object: any = { mode: null, plain: null, free: null }
    const free = { 'x-kubernetes-preserve-unknown-fields': true }
    defaulter(structuralSchema({ type: 'object', properties: { ...schema.properties, free } } as any))(object, {
      keepNulls: true
    })
    assert.deepEqual(object, { mode: 'slow', maybe: 'd', made: { b: 7 }, plain: null, free: null })
  })
})
