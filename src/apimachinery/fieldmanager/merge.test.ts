import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadSchema } from '../schema/load.js'
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

it('puts an item in the place of those that repeat, without their fields', () => {
  const place = new Place(loadSchema().type('core.v1.PodSpec'))
  const spec = (env: readonly object[]) => ({ containers: [{ name: 'c', env }] })
  const [a, again, b] = [
    { name: 'A', value: '1' },
    { name: 'A', valueFrom: {} },
    { name: 'B', value: 'b' }
  ]
  assert.deepEqual(merge(place, spec([a, b, again]), spec([{ name: 'A' }])), spec([{ name: 'A' }, b]))
  assert.deepEqual(merge(place, spec([a, b]), spec([{ name: 'A', valueFrom: {} }])), spec([{ ...a, valueFrom: {} }, b]))
  // what the configuration does not name stays as it is
  assert.deepEqual(merge(place, spec([a, b, again]), spec([{ name: 'B' }])), spec([a, b, again]))
})
