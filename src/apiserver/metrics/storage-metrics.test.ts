import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../storage/contract.js'
import { Metrics, showsAll } from '../../util/instruments/metrics.js'
import { addStorageSize } from './storage-metrics.js'

test('the size in the former metric is as old as the interval allows', async () => {
  let now = 0
  let asked = 0
  const store = { size: async () => ++asked } as unknown as Store
  const shown = async (pollMs: number) => {
    const metrics = new Metrics({ ...showsAll, showHidden: true })
    addStorageSize(metrics, [{ store, name: 'etcd-0' }], pollMs, { now: () => now })
    const sizes: (string | undefined)[] = []
    for (now of [0, 999, 1000]) {
      const line = /^apiserver_storage_db_total_size_in_bytes\{.*\} (\d+)$/m.exec(await metrics.text())
      sizes.push(line?.[1])
    }
    return sizes
  }
  const [first, second, third] = await shown(1000)
  assert.ok(first !== undefined)
  assert.equal(second, first)
  assert.notEqual(third, first)
  assert.deepEqual(await shown(0), [undefined, undefined, undefined])
})
