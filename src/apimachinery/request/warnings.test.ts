import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Warnings } from './warnings.js'

function texts(...given: string[]): readonly string[] {
  const warnings = new Warnings()
  for (const text of given) warnings.add(text)
  return warnings.texts
}

describe('warnings', () => {
  it('with control characters are not sent, as no header can hold them', () => {
    assert.deepEqual(texts('a\nb', 'c', 'd\u0085'), ['c'])
  })

  it('come once each, in their order', () => {
    assert.deepEqual(texts('b', 'a', '', 'b'), ['b', 'a'])
  })

  it('stay whole as long as there are few', () => {
    assert.deepEqual(texts('x'.repeat(4096)), ['x'.repeat(4096)])
    assert.deepEqual(texts('😀'.repeat(4096)), ['😀'.repeat(4096)])
  })

  it('are all cut short when there are too many, also those from before, and then dropped', () => {
    const long = (of: string) => of.repeat(300)
    assert.deepEqual(texts(long('a'), 'b', 'c'.repeat(5000)), ['a'.repeat(256), 'b', 'c'.repeat(256)])
    assert.deepEqual(texts(long('😀'), 'x'.repeat(5000))[0], '😀'.repeat(256))
    const many = texts(...Array.from({ length: 100 }, (_, i) => long(`${i % 10}${Math.floor(i / 10)}`)))
    assert.equal(many.length, 16)
    assert.ok(many.every(text => text.length === 256))
  })

  it('cost no more when there are a million', () => {
    assert.ok(texts(...Array.from({ length: 100_000 }, (_, i) => `unknown field "f${i}"`)).length < 4096)
  })
})
