import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noOrigin } from '../apimachinery/request/origin.js'
import { AdmissionChain } from './admission.js'
import { Reinvocation } from './reinvocation.js'

test('what was called before a change, and wants to, is called again once', () => {
  const reinvocation = new Reinvocation()
  const rounds = reinvocation.roundsOf('plugin')
  assert.equal(reinvocation.roundsOf('plugin'), rounds)
  assert.notEqual(reinvocation.roundsOf('other'), rounds)
  rounds.asked.add('a')
  rounds.changed()
  rounds.asked.add('b')
  assert.deepEqual([[...rounds.toAskAgain], [...rounds.asked]], [['a'], ['b']])
  rounds.changed()
  assert.deepEqual([...rounds.toAskAgain], ['a', 'b'])
})

test('all plugins that mutate run a second time when one asks for it, and no third time', async () => {
  const calls: boolean[] = []
  const chain = (asks: 'never' | 'first' | 'always') =>
    new AdmissionChain([
      {
        name: 'p',
        admit(attributes) {
          const reinvocation = (attributes.reinvocation ??= new Reinvocation())
          calls.push(reinvocation.isReinvoke)
          if (asks === 'always' || (asks === 'first' && !reinvocation.isReinvoke)) reinvocation.shouldReinvoke = true
        }
      }
    ])
  const attributes = (): any => ({
    resource: { group: '', resource: 'pods' },
    subresource: '',
    operation: 'CREATE',
    context: { origin: noOrigin }
  })
  for (const [asks, expected] of [
    ['never', [false]],
    ['first', [false, true]],
    ['always', [false, true]]
  ] as const) {
    await chain(asks).admit(attributes())
    assert.deepEqual(calls.splice(0), expected, asks)
  }
})
