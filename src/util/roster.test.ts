import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Roster } from './roster.js'

const member = (name: string) => ({ name, place: -1 })

test('a roster has its members until they are deleted', () => {
  const roster = new Roster<ReturnType<typeof member>>()
  const [a, b, c] = ['a', 'b', 'c'].map(member) as [any, any, any]
  for (const each of [a, b, c]) roster.add(each)
  assert.equal(roster.delete(a), true)
  assert.equal(roster.delete(a), false)
  assert.deepEqual([...roster].map(({ name }) => name).sort(), ['b', 'c'])
  assert.equal(
    roster.find(({ name }) => name === 'c'),
    c
  )
  assert.equal(
    roster.find(({ name }) => name === 'a'),
    undefined
  )
  assert.equal(roster.delete(c), true)
  assert.equal(roster.delete(b), true)
  assert.equal(roster.size, 0)
  roster.add(a)
  assert.deepEqual([...roster], [a])
})

test('a roster does not delete what is in another one', () => {
  const [roster, other] = [new Roster<ReturnType<typeof member>>(), new Roster<ReturnType<typeof member>>()]
  const [a, b] = [member('a'), member('b')]
  roster.add(a)
  other.add(b)
  assert.equal(roster.delete(b), false)
  assert.deepEqual([[...roster], [...other]], [[a], [b]])
})
