import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cluster } from './cluster.js'
import { selectorOf } from './labels.js'
import { podInfoOf } from './pod-info.js'
import { aPod } from './testing/cluster.js'

const pod = (name: string, labels: Record<string, string>, on: string) => podInfoOf(aPod(name, { namespace: 'n', labels, on }))

test('a cluster knows the shapes of the Pods on its Nodes, as long as one has them', () => {
  const cluster = new Cluster({} as never)
  const found = (matchLabels: Record<string, string>, namespace = 'n') =>
    cluster.shapesOf(selectorOf({ matchLabels }), namespace).map(({ labels }) => labels.app)
  for (const [name, app, node] of [
    ['a', 'x', 'one'],
    ['b', 'x', 'two'],
    ['c', 'y', 'one']
  ] as const)
    cluster.put(pod(name, { app, tier: 't' }, node))
  assert.deepEqual(found({ tier: 't' }), ['x', 'y'])
  assert.deepEqual([found({ app: 'y' }), found({ app: 'y' }, 'other'), found({})], [['y'], [], []])
  cluster.remove('uid of a')
  cluster.put(pod('c', { app: 'z', tier: 't' }, 'two'))
  assert.deepEqual(found({ tier: 't' }), ['x', 'z'])
  cluster.remove('uid of b')
  cluster.remove('uid of c')
  assert.deepEqual(found({ tier: 't' }), [])
})

test('Pods of one template share what the scheduler asks of them', () => {
  const [first, second] = ['a', 'b'].map(name => pod(name, { app: 'x' }, 'one'))
  assert.equal(first!.shape, second!.shape)
  assert.equal(first!.requests, second!.requests)
  assert.notEqual(first!.shape, pod('c', { app: 'y' }, 'one').shape)
})
