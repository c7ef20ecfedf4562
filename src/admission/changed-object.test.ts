import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceObject } from './changed-object.js'

test('a webhook that changes a Scale changes the replicas of its object, and nothing else', async () => {
  const scale = {
    replicas: ({ spec }: any) => spec.replicas,
    setReplicas: (object: any, replicas: number) => (object.spec.replicas = replicas),
    statusReplicas: () => 0,
    selector: () => '',
    replicasPlace: { own: ['spec', 'replicas'], of: () => undefined }
  }
  const resource = { kind: { subresources: { scale } } }
  const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: 't' }
  const change = async (decoded: object) => {
    const object = { metadata, spec: { replicas: 2, paused: true } }
    const attributes = { resource, subresource: 'scale', object, context: { now: 0 } }
    const changed = await replaceObject(attributes as never, {} as never, decoded)
    return [changed, object]
  }
  const object = (replicas: number) => ({ metadata, spec: { replicas, paused: true } })
  assert.deepEqual(await change({ metadata, spec: { replicas: 3 } }), [true, object(3)])
  assert.deepEqual(await change({ metadata, spec: { replicas: 2 } }), [false, object(2)])
  assert.deepEqual(await change({ metadata: { ...metadata, labels: { a: 'b' } }, spec: { replicas: 2 } }), [true, object(2)])
  assert.deepEqual(await change({ metadata, spec: {} }), [true, object(0)])
})

test('an object that stays the same is not replaced, and one that changes keeps its identity', async () => {
  const change = async (object: any, decoded: object) => {
    const defaulted: unknown[] = []
    const resource: any = { kind: { strategy: { default: (stored: unknown) => void defaulted.push(stored) } } }
    resource.toStorage = (given: object) => given
    const changed = await replaceObject(
      { resource, subresource: '', object, context: {} } as never,
      { resource, version: 'v1' } as never,
      decoded
    )
    assert.equal(defaulted.length, 1)
    return [changed, object]
  }
  const same = { metadata: { name: 'a' }, data: { k: 'v' } }
  assert.deepEqual(await change(same, { metadata: { name: 'a' }, data: { k: 'v' } }), [false, same])
  const [changed, object] = await change(
    { metadata: { name: 'a' }, data: {} },
    JSON.parse('{"metadata":{"name":"a"},"__proto__":{"k":"v"}}')
  )
  assert.equal(changed, true)
  assert.deepEqual(Object.keys(object), ['metadata', '__proto__'])
})
