import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DaemonSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { limitsOf, type NodeView, replaceBeside, replaceInPlace } from './rolling.js'

/** `old+`: an old Pod that is available; `new-`: a new one that is not; `!`: the Node should have none. */
function view(text: string, index: number): NodeView {
  const named = (sort: string) =>
    text
      .split(' ')
      .filter(word => word.startsWith(sort))
      .map(word => ({ metadata: { name: `${word}${index}` } }) as Pod)
  return { name: `n${index}`, runs: !text.includes('!'), current: named('new'), outdated: named('old') }
}
const isAvailable = ({ metadata }: Pod) => metadata.name!.includes('+')
const namesOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name)

describe('a rolling update of daemons', () => {
  test('in place keeps as many as must be available', () => {
    const deletes = (unavailable: number, ...nodes: string[]) =>
      namesOf(replaceInPlace(nodes.map(view), { surge: 0, unavailable }, isAvailable).deletes)
    assert.deepEqual(deletes(1, 'old+', 'old+', 'old+'), ['old+0'])
    assert.deepEqual(deletes(2, 'old+', 'new-', 'old+'), ['old+0'])
    assert.deepEqual(deletes(1, 'old+', 'new-', 'old+'), [])
    assert.deepEqual(deletes(1, 'old+', 'old-', 'old-'), ['old-1', 'old-2'], 'those that serve nobody')
    assert.deepEqual(deletes(1, 'old+', ''), [], 'a Node without a Pod is one that misses it')
    assert.deepEqual(deletes(1, 'new+', 'old+'), ['old+1'])
  })

  test('beside creates first, and deletes what has a successor', () => {
    const step = (surge: number, ...nodes: string[]) => {
      const wanted = nodes.filter(text => !text.includes('!')).length
      const { deletes, creates } = replaceBeside(nodes.map(view), { surge, unavailable: 0 }, wanted, isAvailable)
      return [namesOf(deletes), creates]
    }
    assert.deepEqual(step(1, 'old+', 'old+'), [[], ['n0']])
    assert.deepEqual(step(1, 'old+ new-', 'old+'), [[], []])
    assert.deepEqual(step(1, 'old+ new+', 'old+'), [['old+0'], ['n1']])
    assert.deepEqual(step(1, 'old-', 'old+'), [[], ['n0', 'n1']], 'one that serves nobody costs no surge')
    assert.deepEqual(step(1, 'old- !', 'new+'), [['old-0'], []])
    assert.deepEqual(step(1, 'old+ !', 'new-'), [[], []], 'the last that serves stays')
    assert.deepEqual(step(1, 'old+ !', 'new+'), [['old+0'], []])
  })

  test('has limits, of which one leaves room', () => {
    const limits = (rollingUpdate: object, type = 'RollingUpdate') =>
      limitsOf({ spec: { updateStrategy: { type, rollingUpdate } } } as unknown as DaemonSet, 10)
    assert.deepEqual(limits({ maxSurge: '25%', maxUnavailable: 0 }), { surge: 3, unavailable: 0 })
    assert.deepEqual(limits({ maxSurge: 0, maxUnavailable: '11%' }), { surge: 0, unavailable: 2 })
    assert.deepEqual(limits({ maxSurge: 0, maxUnavailable: 0 }), { surge: 0, unavailable: 1 })
    assert.deepEqual(limits({ maxSurge: 3 }, 'OnDelete'), { surge: 0, unavailable: 0 })
  })
})
