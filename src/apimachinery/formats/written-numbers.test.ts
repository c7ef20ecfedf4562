import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writtenNumbers } from './written-numbers.js'

test('documents whose numbers JavaScript writes in the same way need no stand-ins', () => {
  for (const text of ['{"a":1,"b":-2.5,"c":"1.0","d":"\\"1e2"}', '[1e+21]', '""', '0'])
    assert.equal(writtenNumbers(text), undefined, text)
})

test('an integer field refuses the stand-in, and the error has the number as it is written', () => {
  const { text, restore } = writtenNumbers('{"a":1.0,"b":"1.0","c":[1e2,1.0]}')!
  const { a, b, c } = JSON.parse(text)
  assert.equal(b, '1.0')
  for (const number of [a, ...c]) assert.equal(Number.isInteger(number), false)
  assert.equal(c[1], a)
  assert.equal(
    restore(`json: cannot unmarshal number ${c[0]} into Go value of type int32`),
    'json: cannot unmarshal number 1e2 into Go value of type int32'
  )
  assert.equal(restore('number 5 of "1.0"'), 'number 5 of "1.0"')
})

test('documents with many such numbers are left as they are', () => {
  const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => i)).replaceAll(/\d+/g, '$&.0')
  assert.ok(writtenNumbers(numbers(1000)))
  assert.equal(writtenNumbers(numbers(2000)), undefined)
})
