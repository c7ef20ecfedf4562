import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryQueue } from './delivery-queue.js'

const setUp = () => {
  const store = { seenRevision: 5 }
  const queue = new DeliveryQueue(store)
  const told: string[] = []
  const add = (name: string, before: number, pending: Promise<unknown> = Promise.resolve()) =>
    queue.add(
      before,
      error => told.push(error.message),
      async () => {
        await pending
        return () => void told.push(`${name} at ${queue.seenRevision}`)
      }
    )
  return { store, queue, told, add }
}

test('batches come in order, and those of one revision in one turn', async () => {
  const { store, queue, told, add } = setUp()
  let open = () => {}
  store.seenRevision = 6
  add('a', 5, new Promise<void>(resolve => (open = resolve)))
  add('b', 5)
  store.seenRevision = 7
  add('c', 6)
  assert.equal(queue.seenRevision, 5)
  const all = queue.delivered
  open()
  await all
  assert.deepEqual(told, ['a at 6', 'b at 6', 'c at 7'])
  assert.ok(queue.isEmpty)
  assert.equal(queue.seenRevision, 7)
})

test('a batch that a delivery causes comes after all others', async () => {
  const { store, queue, told, add } = setUp()
  store.seenRevision = 6
  queue.add(5, assert.fail, async () => () => {
    told.push('a')
    assert.ok(!queue.isEmpty)
    add('caused', 6)
  })
  add('b', 5)
  while (!queue.isEmpty) await queue.delivered
  assert.deepEqual(told, ['a', 'b at 6', 'caused at 6'])
})

test('a batch that fails does not stop the others', async () => {
  const { queue, told, add } = setUp()
  add('a', 5, Promise.reject(new Error('a fails')))
  add('b', 5)
  await queue.delivered
  assert.deepEqual(told, ['a fails', 'b at 5'])
})
