import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pemBlocks } from './pem.js'

const block = (type: string, content = 'AAEC\n') => `-----BEGIN ${type}-----\n${content}-----END ${type}-----\n`
const found = (text: string) => [...pemBlocks(text)].map(({ type, hasHeaders, bytes }) => [type, hasHeaders, bytes.length])

describe('PEM', () => {
  it('is found between other lines, with any ends of lines', () => {
    assert.deepEqual(found(`text\n${block('A')}more${block('LOST')}\n${block('B').replaceAll('\n', ' \r\n')}`), [
      ['A', false, 3],
      ['B', false, 3]
    ])
  })

  it('may have headers, and may be empty', () => {
    assert.deepEqual(found(block('A', 'Key: value\n\nAAEC\n') + block('B', '')), [
      ['A', true, 3],
      ['B', false, 0]
    ])
  })

  it('may have blanks at the ends of lines, and no line after it', () => {
    for (const text of [
      block('A').replaceAll('-----\n', '-----\t\n'),
      block('A').replaceAll('-----\n', '----- \t \n'),
      block('A').trimEnd(),
      `\n${block('A')}`,
      `\n-----END X-----\n${block('A')}`,
      `-----END X-----\n${block('A')}`
    ])
      assert.deepEqual(found(text), [['A', false, 3]], JSON.stringify(text))
    assert.deepEqual(found(block('A', 'Key: value\n\n')), [['A', true, 0]])
    assert.deepEqual(found(block('A', 'Key: value\n')), [])
    assert.deepEqual(found(`${block('A', 'Key: value\n')}${block('B')}`), [['B', false, 3]])
  })

  it('is skipped where it is malformed', () => {
    for (const bad of [
      block('A', 'AAE\n'),
      block('A', 'A=EC\n'),
      block('A', '!!!!\n'),
      block('A').replace('END A', 'END B'),
      block('A').replace('BEGIN A-----', 'BEGIN A----'),
      `-----BEGIN X-----\n`
    ])
      assert.deepEqual(found(bad + block('C')), [['C', false, 3]], bad)
    assert.deepEqual(found(block('A').replace('END A-----', 'END A-----x')), [])
  })

  it('is read in a time that grows with the text alone', () => {
    const time = (count: number) => {
      const text = '-----BEGIN A-----\n\n-----END B-----\n'.repeat(count)
      const start = performance.now()
      assert.deepEqual(found(text), [])
      return performance.now() - start
    }
    // the best of some, because a machine may be busy with others
    const best = (count: number) => Math.min(...Array.from({ length: 5 }, () => time(count)))
    time(1000)
    assert.ok(best(20_000) < 100 * Math.max(best(2000), 1))
  })
})
