import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CacheEvent, EventWindow } from './event-window.js'

/** Changes of one object, each of which frees 32 KiB when it is forgotten. */
const changes = (count: number): CacheEvent[] =>
  Array.from({ length: count }, (_, i) => ({
    revision: i + 1,
    current: undefined,
    previous: { length: 32 * 1024 } as never,
    at: 0,
    deleted: undefined
  }))

test('a window of events holds fewer former states where the store has them in memory, too', () => {
  const oldest = (window: EventWindow): number => {
    let revision = 0
    while (!window.reaches(revision)) revision++
    return revision
  }
  const windows = [new EventWindow(), new EventWindow(true)]
  for (const window of windows) for (const change of changes(1000)) window.add([change], 0)
  const [alone, beside] = windows.map(window => (1000 - oldest(window)) * 32 * 1024) as [number, number]
  // they are forgotten in steps of a quarter, and a hundred stay
  assert.ok(alone > (8 << 20) - (1 << 20) && alone < 11 << 20, `${alone}`)
  assert.ok(beside >= 100 * 32 * 1024 && beside < 5 << 20, `${beside}`)
})
