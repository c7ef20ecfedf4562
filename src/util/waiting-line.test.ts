import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaitingLine } from './waiting-line.js'

const member = (name: string) => ({ name, place: -1 })
const names = (line: WaitingLine<ReturnType<typeof member>>) => [...line].map(({ name }) => name).join('')

test('a line keeps its order, whoever leaves it', () => {
  const line = new WaitingLine<ReturnType<typeof member>>()
  const [a, b, c, d] = [...'abcd'].map(member) as [any, any, any, any]
  for (const each of [a, b, c]) line.add(each)
  assert.equal(line.delete(b), true)
  assert.equal(line.delete(b), false)
  assert.deepEqual([names(line), line.size, line.oldest], ['ac', 2, a])
  line.delete(a)
  line.add(d)
  line.add(b)
  assert.deepEqual([names(line), line.size, line.oldest], ['cdb', 3, c])
  assert.deepEqual([line.has(a), line.has(d)], [false, true])
  for (const each of [d, c, b]) assert.equal(line.delete(each), true)
  assert.deepEqual([names(line), line.size, line.oldest], ['', 0, undefined])
  line.add(a)
  assert.deepEqual([names(line), line.oldest], ['a', a])
})

test('a line does not delete what waits in another one', () => {
  const [line, other] = [new WaitingLine<ReturnType<typeof member>>(), new WaitingLine<ReturnType<typeof member>>()]
  const [a, b] = [member('a'), member('b')]
  line.add(a)
  other.add(b)
  assert.equal(line.delete(b), false)
  assert.deepEqual([names(line), names(other)], ['a', 'b'])
})
