import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { random } from '../random.js'
import { assertLinearizable } from './linearizability.js'
import type { Action, Operation, Outcome } from './operation.js'

type Line = readonly [called: number, returned: number, action: Action, outcome: Outcome]

const history = (...lines: Line[]): Operation[] =>
  lines.map(([called, returned, action, outcome], i) => ({ key: 'a', client: `c${i}`, action, outcome, called, returned }))

const get: Action = { kind: 'get' }
const remove: Action = { kind: 'delete' }
const create = (value: string): Action => ({ kind: 'create', value })
const update = (value: string, expected?: string): Action => ({ kind: 'update', value, expected })
const done: Outcome = { kind: 'done' }
const found = (value: string, resourceVersion?: number): Outcome => ({ kind: 'done', value, resourceVersion })
const at = (resourceVersion: number): Outcome => ({ kind: 'done', resourceVersion })
const conflict: Outcome = { kind: 'conflict' }
const notFound: Outcome = { kind: 'notFound' }
const unknown: Outcome = { kind: 'unknown' }

const accepted = (...lines: Line[]) => assert.equal(assertLinearizable(history(...lines)), lines.length)
const refused = (expected: RegExp, ...lines: Line[]) => assert.throws(() => assertLinearizable(history(...lines)), expected)

describe('the checker of linearizability', () => {
  test('accepts what one client sees', () => {
    accepted(
      [1, 2, get, notFound],
      [3, 4, create('x'), at(5)],
      [5, 6, create('y'), { kind: 'alreadyExists' }],
      [7, 8, update('z', 'x'), at(6)],
      [9, 10, update('w', 'x'), conflict],
      [11, 12, get, found('z', 6)],
      [13, 14, remove, done],
      [15, 16, remove, notFound],
      [17, 18, update('v'), notFound]
    )
  })

  test('accepts overlapping operations in the order that fits', () => {
    accepted([1, 10, create('x'), done], [2, 3, get, notFound], [4, 5, get, found('x')])
    accepted([1, 2, create('x'), done], [3, 10, update('y', 'x'), conflict], [4, 9, update('z', 'x'), done])
    accepted([1, 6, remove, done], [2, 5, create('x'), done], [3, 4, get, found('x')])
  })

  test('notices a stale read', () => {
    refused(
      /not linearizable: .* get a: done x/,
      [1, 2, create('x'), done],
      [3, 4, update('y', 'x'), done],
      [5, 6, get, found('x')]
    )
    refused(/get a: notFound/, [1, 2, create('x'), done], [3, 4, get, notFound])
    // two reads during one write must not go back
    refused(
      /not linearizable/,
      [1, 2, create('x'), done],
      [3, 20, update('y'), done],
      [4, 5, get, found('y')],
      [6, 7, get, found('x')]
    )
  })

  test('notices a lost update', () => {
    refused(/not linearizable/, [1, 2, create('x'), done], [3, 6, update('y', 'x'), done], [4, 7, update('z', 'x'), done])
    refused(/not linearizable/, [1, 2, create('x'), done], [3, 4, get, notFound], [5, 6, get, found('x')])
  })

  test('notices two creations, and a conflict without a cause', () => {
    refused(/not linearizable/, [1, 4, create('x'), done], [2, 3, create('y'), done])
    refused(/update a y over x: conflict/, [1, 2, create('x'), done], [3, 4, update('y', 'x'), conflict])
  })

  test('notices resource versions that contradict the order, or each other', () => {
    refused(/not linearizable/, [1, 2, create('x'), at(9)], [3, 4, update('y'), at(8)])
    refused(/do not belong together/, [1, 2, create('x'), at(9)], [3, 4, get, found('x', 8)])
    refused(/do not belong together/, [1, 2, create('x'), at(9)], [3, 4, update('y'), at(9)])
  })

  test('a write with an unknown outcome may happen at any time after its call, or never', () => {
    const started: Line[] = [
      [1, 2, create('x'), done],
      [3, 4, update('y', 'x'), unknown]
    ]
    accepted(...started, [5, 6, get, found('x')])
    accepted(...started, [5, 6, get, found('y')])
    accepted(...started, [5, 6, get, found('x')], [7, 8, get, found('y')])
    refused(/not linearizable/, ...started, [5, 6, get, found('y')], [7, 8, get, found('x')])
    refused(/not linearizable/, [1, 2, create('x'), done], [3, 4, get, found('y')], [5, 6, update('y', 'x'), unknown])
    // it happens once
    refused(
      /not linearizable/,
      [1, 2, create('x'), done],
      [3, 4, remove, unknown],
      [5, 6, get, notFound],
      [7, 8, create('z'), done],
      [9, 10, get, notFound]
    )
  })

  test('random histories of a true register are accepted; with one changed read they are not', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const next = random(seed)
      const operations: Operation[] = []
      let value: string | undefined
      const reads: number[] = []
      for (let i = 0; i < 800; i++) {
        // each operation happens at 10 i and stretches over its neighbours
        const times = { called: 10 * i - next(45) - i / 1e5, returned: 10 * i + 1 + next(45) + i / 1e5 }
        const add = (action: Action, outcome: Outcome) =>
          operations.push({ key: 'a', client: `c${i}`, action, outcome, ...times })
        const lost = next(200) === 0
        const kind = next(5)
        if (kind === 0 && value !== undefined) {
          add(remove, lost ? unknown : done)
          value = undefined
        } else if (kind <= 2) {
          const action = value === undefined ? create(`v${i}`) : update(`v${i}`, next(2) ? value : undefined)
          add(action, lost ? unknown : done)
          value = `v${i}`
        } else {
          add(get, value === undefined ? notFound : found(value))
          if (value !== undefined) reads.push(i)
        }
      }
      assert.equal(assertLinearizable(operations), 800)
      const [from, to] = [reads[5]!, reads.at(-5)!]
      const bad = operations.with(to, { ...operations[to]!, outcome: operations[from]!.outcome })
      assert.throws(() => assertLinearizable(bad), /not linearizable/)
    }
  })
})
