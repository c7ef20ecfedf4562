import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIntProblem } from './go-strconv.js'

test('integers are those of Go', () => {
  for (const text of ['0', '-0', '+7', '007', '9223372036854775807', '-9223372036854775808', `-${'0'.repeat(100_000)}1`])
    assert.equal(parseIntProblem(text), undefined)
  for (const text of ['', '-', '1_000', '0x1', ' 1', '1.0'])
    assert.equal(parseIntProblem(text), `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  for (const text of ['9223372036854775808', '-9223372036854775809', '9'.repeat(10_000)])
    assert.equal(parseIntProblem(text), `strconv.ParseInt: parsing "${text}": value out of range`)
})
