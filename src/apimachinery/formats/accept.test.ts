import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxAcceptCharacters, namesOneOf, parseAccept } from './accept.js'

const order = (header: string) => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`)

test('higher weights come first, and wildcards after types of equal weight', () => {
  assert.deepEqual(order('a/b;q=0.4, c/d;q=0.9, */*, e/*'), ['e/*', '*/*', 'c/d', 'a/b'])
  assert.deepEqual(order('*, a/*, a/b'), ['a/b', 'a/*', '*/*'])
})

test('invalid media types are ignored, and invalid weights count as 0', () => {
  assert.deepEqual(order('nonsense, a/b/c, a/b;q=x, , c/d'), ['c/d', 'a/b'])
})

test('parameters keep their case, need a value, and the last one counts', () => {
  const [clause] = parseAccept('a/b; as=Table ;AS=x; v=; g=1; g=2; n=a=b=c')
  assert.deepEqual(
    [...clause!.params],
    [
      ['as', 'Table'],
      ['AS', 'x'],
      ['g', '2']
    ]
  )
})

test('a router compares media types literally, and accepts */*', () => {
  assert.equal(namesOneOf('text/html, a/b ;q=1', ['a/b'], true), true)
  assert.equal(namesOneOf('A/b', ['a/b'], true), false)
  assert.equal(namesOneOf('a/*', ['a/b'], true), false)
  assert.equal(namesOneOf('*/*', ['a/b'], true), true)
  assert.equal(namesOneOf('*/*', ['a/b'], false), false)
})

test('the beginning of a header that is too long counts, as far as its items are whole', () => {
  const padded = (length: number) => `c/d${','.repeat(length - 3)}`
  assert.deepEqual(order(`${padded(maxAcceptCharacters - 4)}a/b,x/y`), ['c/d', 'a/b'])
  assert.deepEqual(order(`${padded(maxAcceptCharacters - 4)}a/bcd`), ['c/d'])
  assert.equal(parseAccept('a/b,'.repeat(1_000_000)).length, maxAcceptCharacters / 4)
  assert.equal(namesOneOf(`${'a/b,'.repeat(10_000)}c/d`, ['c/d'], true), false)
})
