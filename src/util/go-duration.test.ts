import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDuration } from './go-duration.js'

describe('durations', () => {
  it('reads durations as Go does', () => {
    for (const text of ['0', '-0', '1s', '1h30m', '-1.5h', '.5s', '1.s', '3µs']) assert.equal(typeof readDuration(text), 'number')
  })

  it("reports errors in Go's words", () => {
    assert.equal(readDuration('5'), 'time: missing unit in duration "5"')
    assert.equal(readDuration('1.5.s'), 'time: missing unit in duration "1.5.s"')
    assert.equal(readDuration('1d'), 'time: unknown unit "d" in duration "1d"')
    for (const text of ['', 'x', '-', '.s', ' 1s', '9999999999h'])
      assert.equal(readDuration(text), `time: invalid duration ${JSON.stringify(text)}`)
  })
})
