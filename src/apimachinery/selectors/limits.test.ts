import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFieldSelector, readableFieldSelector } from './fields.js'
import { parseLabelSelector, readableLabelSelector } from './labels.js'
import { maxCharacters, maxTerms, SelectorError } from './limits.js'
import { SentSelector, sentFields } from './sent.js'

const list = (of: (i: number) => string, length: number) => Array.from({ length }, (_, i) => of(i)).join()
const tooMany = (kind: string) => ({ message: `a ${kind} selector must have at most 5000 requirements and values` })
const tooLong = (kind: string) => ({ message: `a ${kind} selector must have at most 262144 characters` })

test('a selector may have thousands of requirements and values, and no more', () => {
  assert.equal(parseFieldSelector(list(i => `a=${i}`, maxTerms)).length, maxTerms)
  assert.ok(parseLabelSelector(list(i => `a${i}`, maxTerms)))
  assert.ok(parseLabelSelector(`a in (${list(i => `v${i}`, maxTerms)})`))
  assert.throws(() => parseFieldSelector(list(i => `a=${i}`, maxTerms + 1)), tooMany('field'))
  assert.throws(() => parseLabelSelector(list(i => `a${i}`, maxTerms + 1)), tooMany('label'))
  assert.throws(() => parseLabelSelector(`a in (${list(i => `v${i}`, maxTerms + 1)})`), tooMany('label'))
  assert.throws(() => parseLabelSelector(`a in (${list(i => `-${i}`, maxTerms + 1)})`), tooMany('label'))
  assert.equal(readableFieldSelector(list(i => `a=${i}`, maxTerms + 1)), undefined)
  assert.equal(readableLabelSelector(list(i => `a${i}`, maxTerms + 1)), undefined)
})

test('a selector of one long word is refused by its length', () => {
  assert.ok(parseFieldSelector(`a=${'b'.repeat(maxCharacters - 2)}`))
  assert.throws(() => parseFieldSelector(`a=${'b'.repeat(maxCharacters)}`), tooLong('field'))
  assert.throws(() => parseLabelSelector('a'.repeat(maxCharacters + 1)), tooLong('label'))
})

test('a selector that was sent is parsed once, whoever asks, and whatever comes out', () => {
  const texts: string[] = []
  const sent = new SentSelector('a=b', text => {
    texts.push(text)
    return ['requirement']
  })
  assert.deepEqual([sent.requirements, sent.readable, sent.readable], [['requirement'], ['requirement'], ['requirement']])
  const wrong = new SentSelector('b', text => {
    texts.push(text)
    throw new SelectorError('wrong')
  })
  assert.equal(wrong.readable, undefined)
  assert.throws(() => wrong.requirements, /wrong/)
  assert.throws(() => wrong.requirements, /wrong/)
  assert.deepEqual(texts, ['a=b', 'b'])
  assert.equal(sentFields(''), undefined)
})
