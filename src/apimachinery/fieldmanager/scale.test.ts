import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entriesAfterScale, trackScale } from './scale.js'

const scaler = { name: 'scaler', apiVersion: 'apps/v1', subresource: 'scale' }
const entry = (manager: string, fieldsV1: any, more: any = {}) => ({
  manager,
  operation: 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more
})
const replicas = { 'f:spec': { 'f:replicas': {} } }
const creator = entry('creator', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }, { time: 't' })

describe('owning replicas through a Scale', () => {
  it('moves to the manager that changed them, without a time', () => {
    assert.deepEqual(trackScale([creator], scaler, 1, 3), [
      entry('scaler', replicas, { subresource: 'scale' }),
      entry('creator', { 'f:spec': { 'f:paused': {} } }, { time: 't' })
    ])
  })

  it('is found at the path of the object itself', () => {
    const nested = (below: object) => ({ 'f:spec': { 'f:a': below } })
    const creator = entry('a', nested({ '.': {}, 'f:b': {}, 'f:count': {} }))
    assert.deepEqual(trackScale([creator], scaler, 1, 3, { own: ['spec', 'a', 'count'], of: () => ['spec', 'a', 'count'] }), [
      entry('a', nested({ '.': {}, 'f:b': {} })),
      entry('scaler', nested({ 'f:count': {} }), { subresource: 'scale' })
    ])
  })

  it('is found in entries of every version, each with its own path', () => {
    const paths: Record<string, string[]> = { 'x/v1': ['spec', 'n'], 'x/v2': ['spec', 'm'] }
    const place = { own: ['spec', 'm'], of: (version = '') => paths[version] }
    const known = [
      entry('old', { 'f:spec': { 'f:m': {}, 'f:n': {} } }, { apiVersion: 'x/v1' }),
      entry('gone', { 'f:spec': { 'f:n': {} } }, { apiVersion: 'x/v0' })
    ]
    assert.deepEqual(trackScale(known, { ...scaler, apiVersion: 'x/v2' }, 1, 3, place), [
      entry('gone', { 'f:spec': { 'f:n': {} } }, { apiVersion: 'x/v0' }),
      entry('old', { 'f:spec': { 'f:m': {} } }, { apiVersion: 'x/v1' }),
      entry('scaler', { 'f:spec': { 'f:m': {} } }, { apiVersion: 'x/v2', subresource: 'scale' })
    ])
  })

  it('ends when the object has no replicas', () => {
    assert.deepEqual(trackScale([entry('a', replicas)], scaler, 1, 0), [])
  })

  it('is not added where no manager owns them; an unchanged entry is returned as two', () => {
    const others = [entry('a', { 'f:spec': { 'f:paused': {} } })]
    assert.equal(trackScale(others, scaler, 1, 3), others)
    assert.deepEqual(trackScale([creator], scaler, 3, 3), [
      entry('creator', replicas),
      entry('creator', { 'f:spec': { 'f:paused': {} } }, { time: 't' })
    ])
  })
})

describe('an apply of a Scale', () => {
  it('without replicas leaves those to their owner, unless it has no field at all', () => {
    const applier = (fieldsV1: object) => entry('two', fieldsV1, { operation: 'Apply', subresource: 'scale' })
    const known = [applier(replicas)]
    assert.deepEqual(entriesAfterScale(known, [applier({ 'f:spec': {} })], 'x/v1'), known)
    assert.deepEqual(entriesAfterScale(known, [applier({})], 'x/v1'), [])
    assert.deepEqual(entriesAfterScale([], [applier({ 'f:spec': {} })], 'x/v1'), [])
  })
})
