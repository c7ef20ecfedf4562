import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from './load.js'
import type { Field, StructType, Type } from './model.js'
import { holdsRaw, withRawText } from './raw-values.js'

/** Makes a type whose fields are of the given types. */
function struct(name: string, ...types: Type[]): StructType & { fields: Field[] } {
  const fields = types.map(type => ({ type }) as Field)
  return { kind: 'struct', name, go: name, fields, byName: new Map(), required: [], gvks: [] }
}

const raw: Type = { kind: 'scalar', scalar: 'raw', go: '' }
const text: Type = { kind: 'scalar', scalar: 'string', go: '' }
const list = (items: Type): Type => ({ kind: 'list', items, go: '' })
const hold = (type: { fields: Field[] }, held: Type) => void type.fields.push({ type: held } as Field)

test('types that lead to each other hold what one of them holds', () => {
  const a = struct('a')
  const b = struct('b', list(a))
  const plain = struct('plain', text)
  hold(plain, list(plain))
  hold(a, b)
  hold(a, plain)
  hold(a, raw)
  assert.deepEqual([a, b, plain, list(b)].map(holdsRaw), [true, true, false, true])
})

test('what is known of a type counts for those that are seen later', () => {
  const inner = struct('inner', raw)
  assert.equal(holdsRaw(inner), true)
  assert.equal(holdsRaw(struct('outer', text, { kind: 'map', values: inner, go: '' })), true)
  assert.equal(holdsRaw(struct('empty')), false)
})

test('built-in types', () => {
  const types = ['apps.v1.ControllerRevision', 'meta.v1.ObjectMeta', 'core.v1.Pod', 'meta.v1.WatchEvent']
  assert.deepEqual(
    types.map(name => holdsRaw(loadSchema().type(name))),
    [true, false, false, true]
  )
})

test('the text of raw values tells what an equal value hides', () => {
  const type = loadSchema().type('resource.v1.ResourceClaimSpec')
  const text = (parameters: object) => withRawText(type, { devices: { config: [{ opaque: { driver: 'd', parameters } }] } })
  const same = { devices: { config: [{ opaque: { driver: 'd', parameters: '{"b":[],"a":null}' } }] } }
  assert.deepEqual(text({ b: [], a: null }), same)
  assert.notDeepEqual(text({ a: null, b: [] }), same)
})

test('JSON of another Go type is no text', () => {
  const schema = { default: { b: 1, a: 2 } }
  assert.deepEqual(withRawText(loadSchema().type('apiextensions.v1.JSONSchemaProps'), schema), schema)
})
