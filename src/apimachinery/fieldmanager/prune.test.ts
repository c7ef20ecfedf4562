import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customType } from '../../apiextensions/custom-type.js'
import { structuralSchema } from '../structural/structural.js'
import { placeOf } from './place.js'
import { abandoned, storable, withoutFields } from './prune.js'

const keep = { 'x-kubernetes-preserve-unknown-fields': true }
const text = { type: 'string' }
const map = { type: 'object', additionalProperties: text }
const set = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' }
const schema = {
  type: 'object',
  ...keep,
  properties: { map, set, nullable: { ...map, nullable: true }, free: keep, made: { ...map, default: {} } }
}
const place = placeOf(customType(structuralSchema(schema), { group: 'g.io', version: 'v1', kind: 'Pruned' }))

describe('a container that becomes empty', () => {
  const after = (value: object, tree: object) => withoutFields(place, value, tree as any, storable)

  it('is null where null is a value, and where a default takes its place', () => {
    const value = { nullable: { a: '1' }, free: { a: { b: 1 } }, made: { a: '1' } }
    const members = { 'f:nullable': { 'f:a': {} }, 'f:free': { 'f:a': { 'f:b': {} } }, 'f:made': { 'f:a': {} } }
    assert.deepEqual(after(value, members), { nullable: null, free: { a: null }, made: null })
  })

  it('is empty where null would be refused', () => {
    const members = { 'f:map': { 'f:a': {} }, 'f:set': { 'v:"1"': {} } }
    assert.deepEqual(after({ map: { a: '1' }, set: ['1'] }, members), { map: {}, set: [] })
  })
})

describe('what an applier gives up', () => {
  it('includes a field that the schema does not declare, whoever owns what is below it', () => {
    assert.deepEqual(abandoned(place, { other: { a: 1 } }, { 'f:other': {} }, { 'f:other': { 'f:a': {} } }), { 'f:other': {} })
    assert.equal(abandoned(place, { map: { a: '1' } }, { 'f:map': {} }, { 'f:map': { 'f:a': {} } }), undefined)
  })
})
