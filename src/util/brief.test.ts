import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BriefMap, BriefSet } from './brief.js'

test('a map has what a Map has, however much comes and goes', () => {
  const map = new BriefMap<number, string>()
  const plain = new Map<number, string>()
  for (let i = 0; i < 1000; i++) {
    map.set(i, `v${i}`)
    plain.set(i, `v${i}`)
    // up to fifty stay for a while, and every hundredth for ever
    const old = i - (i % 50)
    if (old % 100 !== 0) assert.equal(map.delete(old), plain.delete(old))
    assert.equal(map.delete(-1), false)
    assert.equal(map.size, plain.size)
  }
  assert.deepEqual([...map.keys()], [...plain.keys()])
  assert.deepEqual([...map.values()], [...plain.values()])
  assert.deepEqual([map.get(999), map.has(999), map.get(50), map.has(50)], ['v999', true, undefined, false])
  map.clear()
  assert.deepEqual([map.size, map.has(999)], [0, false])
})

test('a set keeps the order in which its members came', () => {
  const set = new BriefSet<number>()
  for (let i = 0; i < 200; i++) set.add(i)
  for (let i = 0; i < 200; i += 2) assert.equal(set.delete(i), true)
  set.add(0)
  assert.equal(set.delete(2), false)
  assert.deepEqual([...set].slice(0, 3), [1, 3, 5])
  assert.deepEqual([[...set].at(-1), set.size, set.has(0), set.has(2)], [0, 101, true, false])
})

/** Bytes that V8 has moved to the old generation while members of 1 kB came and went. */
function promoted(set: { add(member: object): void; delete(member: object): boolean }): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc')
  const oldGeneration = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size
  // no such collection falls into the count
  gc()
  const present = Array.from({ length: 8 }, () => ({ content: new Array(128).fill(0) }))
  const turn = () => {
    const member = { content: new Array(128).fill(0) }
    present.push(member)
    set.add(member)
    set.delete(present.shift()!)
  }
  for (const member of present) set.add(member)
  // a quiet time, in which what is there gets old
  for (let i = 0; i < 3; i++) gc({ type: 'minor' })
  const before = oldGeneration()
  for (let i = 0; i < 4000; i++) {
    turn()
    if (i % 400 === 0) gc({ type: 'minor' })
  }
  for (let i = 0; i < 2; i++) gc({ type: 'minor' })
  return oldGeneration() - before
}

test('what has gone does not wait for a collection of the whole heap', () => {
  const [brief, plain] = [promoted(new BriefSet()), promoted(new Set())]
  assert.ok(brief < 1_000_000, `${brief} bytes`)
  // else V8 no longer needs this file
  assert.ok(plain > 2_000_000, `${plain} bytes`)
})
