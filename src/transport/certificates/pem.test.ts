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

  it('may be empty with a line of nothing, but not with half an end of line', () => {
    assert.deepEqual(found(block('A', '\n')), [['A', false, 0]])
    assert.deepEqual(found(block('A', '\n').replace(/\n$/, '\r\n')), [['A', false, 0]])
    assert.deepEqual(found(block('A', '\n').replace(/\n$/, '\r')), [])
    assert.deepEqual(found(block('A', '').trimEnd()), [['A', false, 0]])
  })

  it('ends the search where its END line reads as a header', () => {
    for (const content of ['', 'Key: value\n'])
      assert.deepEqual(found(block('A', content).replace('END A', 'END A:') + block('B')), [], content)
  })

  it('is skipped where it is malformed', () => {
    for (const bad of [
      block('A', 'AAE\n'),
      block('A', 'A=EC\n'),
      block('A', '!!!!\n'),
      block('A').replace('END A', 'END B'),
      block('A').replace('BEGIN A-----', 'BEGIN A----'),
      block('A').replace('BEGIN A-----', 'BEGIN Axxxxx'),
      `-----BEGIN X-----\n`
    ])
      assert.deepEqual(found(bad + block('C')), [['C', false, 3]], bad)
    assert.deepEqual(found(block('A').replace('END A-----', 'END A-----x')), [])
  })

  it('is read in a time that grows with the text alone', () => {
    const time = (count: number, first: string, line: string) => {
      const text = first + line.repeat(count)
      const start = performance.now()
      assert.deepEqual(found(text), [])
      return performance.now() - start
    }
    // the best of some, because a machine may be busy with others
    for (const [first, line] of [
      ['', '-----BEGIN A-----\n\n-----END B-----\n'],
      ['', '\n-----END B-----'],
      ['-----BEGIN A-----\n', '\n-----END B-----']
    ] as const) {
      const best = (count: number) => Math.min(...Array.from({ length: 3 }, () => time(count, first, line)))
      time(1000, first, line)
      assert.ok(best(40_000) < 150 * Math.max(best(2000), 2), first + line)
    }
  })
})
