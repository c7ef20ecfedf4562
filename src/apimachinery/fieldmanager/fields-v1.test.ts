import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outside } from './fields-v1.js'

describe('outside', () => {
  const tree = {
    'f:spec': { 'f:a': {} },
    'f:status': { '.': {}, 'f:b': {} },
    'f:metadata': { 'f:labels': { 'f:c': {} }, 'f:annotations': { 'f:d': {} } }
  }

  it('removes the paths at or below a place', () => {
    const { 'f:status': _, ...rest } = tree
    assert.deepEqual(outside(tree, { 'f:status': {} }), rest)
    assert.deepEqual(outside(tree, { 'f:spec': {}, 'f:status': {}, 'f:metadata': { 'f:labels': {} } }), {
      'f:metadata': { 'f:annotations': { 'f:d': {} } }
    })
  })

  it('keeps a leaf above a place', () => {
    assert.deepEqual(outside({ 'f:status': {} }, { 'f:status': { 'f:certificate': {} } }), { 'f:status': {} })
  })

  it('returns undefined when no path is left', () => {
    assert.equal(outside({ 'f:spec': { 'f:a': {} } }, { 'f:spec': { 'f:a': {} } }), undefined)
  })
})
