import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SortedView } from './sorted-view.js'

interface Item {
  readonly id: number
  readonly value: number
}
const compare = (a: Item, b: Item) => a.value - b.value || a.id - b.id
const includes = ({ value }: Item) => value % 3 !== 0

/** Numbers that look random, and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state % below
  }
}

test('any sequence of changes leaves what filtering and sorting anew would give', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = numbers(seed)
    const all = new Map<number, Item>()
    const view = new SortedView(compare, includes)
    for (let step = 0; step < 200; step++) {
      const id = next(30)
      const before = all.get(id)
      if (next(4) === 0) {
        all.delete(id)
        view.replace(before, undefined)
      } else if (next(10) === 0) {
        const added = Array.from({ length: next(60) }, (_, i) => ({ id: 1000 + step * 100 + i, value: next(50) }))
        for (const item of added) all.set(item.id, item)
        view.addAll(added)
      } else {
        const after = { id, value: next(20) }
        all.set(id, after)
        view.replace(before, after)
      }
    }
    assert.deepEqual(view.items, [...all.values()].filter(includes).sort(compare), `seed ${seed}`)
  }
})

test('an item that is not shown has no index', () => {
  const view = new SortedView(compare, includes)
  view.fill([{ id: 1, value: 1 }])
  assert.equal(view.indexOf({ id: 1, value: 1 }), -1, 'another object of the same values')
  assert.equal(view.indexOf(view.items[0]!), 0)
})
