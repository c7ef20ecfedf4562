import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MapType } from '../schema/model.js'
import { merge } from './merge.js'
import { Place } from './place.js'

/** Values whose granularity is derived from the value, as in a custom resource whose schema gives no type. */
const deduced: MapType = {
  kind: 'map',
  go: 'interface {}',
  deduced: true,
  get values() {
    return deduced
  }
}

it('lets null replace a value, but not an object with fields', () => {
  const live = { text: 'x', list: [1], object: { a: 1 }, empty: {} }
  const config = { text: null, list: null, object: null, empty: null }
  assert.deepEqual(merge(new Place(deduced), live, config), { text: null, list: null, object: { a: 1 }, empty: null })
})

it('replaces a value that has another form, at any depth', () => {
  for (const value of ['s', '', 5, true, [1], []]) {
    assert.deepEqual(merge(new Place(deduced), { x: { a: { b: 1 } } }, { x: { a: value } }), { x: { a: value } })
    assert.deepEqual(merge(new Place(deduced), { x: { a: value } }, { x: { a: { b: 1 } } }), { x: { a: { b: 1 } } })
  }
})
