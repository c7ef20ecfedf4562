import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../storage/contract.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { put } from '../../storage/testing/helpers.js'
import { checkValues } from './check-values.js'

test('values that are no object of their key are found', async () => {
  const store = openMemoryStore()
  const object = (kind: string, apiVersion: string, metadata: object) => JSON.stringify({ kind, apiVersion, metadata })
  const configMap = object('ConfigMap', 'v1', { name: 'a', namespace: 'x' })
  await put(store, '/registry/configmaps/x/a', configMap)
  await put(store, '/registry/configmaps/x/b', configMap)
  await put(store, '/registry/configmaps/x/c', configMap.slice(0, -1))
  await put(store, '/registry/secrets/x/a', configMap)
  await put(store, '/registry/secrets/x/b', 'k8s:enc:aescbc:v1:key:x')
  await put(store, '/registry/namespaces/x', object('Namespace', 'v1', { name: 'x' }))
  await put(store, '/registry/services/specs/x/s', object('Service', 'v1', { name: 's', namespace: 'x' }))
  await put(store, '/registry/example.com/widgets/x/w', object('Widget', 'example.com/v1', { name: 'w', namespace: 'x' }))
  await put(store, '/registry/example.com/widgets/x/v', object('Widget', 'example.com/v1', { name: 'w', namespace: 'x' }))
  await put(store, '/registry/masterleases/192.0.2.1', 'anything')
  const { problems, ...counts } = await checkValues(store)
  assert.deepEqual(counts, { objects: 8, others: 1, encrypted: 1, revision: 11 })
  assert.deepEqual(
    problems.map(problem => problem.replace(/(c: ).*/, '$1…')),
    [
      '/registry/configmaps/x/b: it is the object x/a',
      '/registry/configmaps/x/c: …',
      '/registry/example.com/widgets/x/v: it is the object w',
      '/registry/secrets/x/a: the stored object is a ConfigMap, not a Secret'
    ]
  )
})

test('values that cannot be decrypted are found', async () => {
  const inner = openMemoryStore()
  await put(inner, '/registry/secrets/x/a', 'k8s:enc:aesgcm:v1:key:x')
  const store = {
    root: inner.root,
    async list(...args: Parameters<Store['list']>) {
      const page = await inner.list(...args)
      return { ...page, items: page.items.map(item => ({ ...item, unreadable: 'no matching key' })) }
    }
  } as Store
  const { problems, encrypted } = await checkValues(store)
  assert.deepEqual([problems, encrypted], [['/registry/secrets/x/a: no matching key'], 0])
})
