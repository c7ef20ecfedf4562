import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextBookmark } from './bookmarks.js'

/** Returns the times of the bookmarks in a watch of this length, all in seconds. */
function bookmarks(seconds: number): number[] {
  const at: number[] = []
  for (let next = nextBookmark(0, seconds * 1000); next !== undefined; next = nextBookmark(next, seconds * 1000))
    at.push(next / 1000)
  return at
}

test('bookmarks come once a minute, and the last one two seconds before the end', () => {
  assert.deepEqual(bookmarks(1), [])
  assert.deepEqual(bookmarks(2), [])
  assert.deepEqual(bookmarks(3), [1])
  assert.deepEqual(bookmarks(62), [60])
  assert.deepEqual(bookmarks(66), [60, 64])
  assert.deepEqual(bookmarks(200), [60, 120, 180, 198])
})
