/** What clients in the process do with watches that go wrong, as those of other languages do over a port. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StatusError } from '../apimachinery/status/status.js'
import type { WatchFault } from '../index.js'
import { nextTurn } from '../util/turns.js'
import { portless } from './testing/portless.js'
import { until } from './until.js'

const faults = [
  { afterEvents: 2, do: 'expire' },
  { afterEvents: 2, do: 'close' },
  { afterEvents: 2, do: 'halfFrame' }
] as const satisfies readonly WatchFault[]
const names = ['a', 'b', 'c', 'd', 'e']

describe('under a fault of watches', () => {
  for (const watch of faults)
    test(`an informer misses nothing, and until neither: ${watch.do}`, async t => {
      const server = await portless(t)
      const maps = server.client().of('v1', 'ConfigMap')
      const fault = server.faults.add({ resource: 'configmaps', watch, times: 2 })
      using informer = maps.informer({ namespace: 'default', labelSelector: { app: 'x' } })
      const errors: unknown[] = []
      informer.on('error', error => errors.push(error))
      await informer.synced
      const last = until(server.client(), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'e' } }, () => true)
      for (const name of names) await maps.create({ metadata: { name, labels: { app: 'x' } } })
      if (watch.do === 'halfFrame') await last.catch(() => {})
      else await last
      while (informer.list().length < names.length) await nextTurn()
      assert.deepEqual(
        informer
          .list()
          .map(({ metadata }) => metadata.name)
          .sort(),
        names
      )
      assert.ok(fault.count > 0)
      // only what is no reason to list again is told
      assert.equal(errors.length > 0, watch.do === 'halfFrame')
    })

  test('a watch throws what it cannot go on from, and goes on after an end', async t => {
    const server = await portless(t)
    const maps = server.client().of('v1', 'ConfigMap')
    const { metadata } = await maps.list()
    for (const name of names) await maps.create({ metadata: { name } })
    const seen = async (watch: WatchFault) => {
      const fault = server.faults.add({ resource: 'configmaps', watch, times: 1 })
      const found: string[] = []
      try {
        for await (const { object } of maps.watch({ resourceVersion: metadata.resourceVersion })) {
          found.push(object.metadata.name!)
          if (found.length === names.length) break
        }
      } catch (error) {
        found.push(error instanceof StatusError ? `${error.code}` : (error as Error).message)
      }
      assert.equal(fault.count, 1)
      return found
    }
    assert.deepEqual(await seen({ afterEvents: 3, do: 'expire' }), ['a', 'b', 'c', '410'])
    assert.deepEqual(await seen({ afterEvents: 3, do: 'close' }), names)
    assert.deepEqual(await seen({ afterEvents: 3, do: 'halfFrame' }), ['a', 'b', 'c', 'the connection was reset'])
  })
})
