import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

test('sizes of resources are shown with the gate SizeBasedListCostEstimate', async () => {
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
  for (const enabled of [true, false]) {
    const featureGates = { SizeBasedListCostEstimate: enabled }
    const server = createServer({ log: silentLogger, controllers: [], featureGates })
    await server.start()
    const { body } = await server.inject({ url: '/metrics', user })
    await server.stop()
    assert.match(body.toString(), /^apiserver_resource_objects\{group="",resource="namespaces"\} 4$/m)
    assert.equal(/^apiserver_resource_size_estimate_bytes\{/m.test(body.toString()), enabled)
  }
})

test('the time that it takes to fill watch caches is shown', async () => {
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
  const server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  const text = (await server.inject({ url: '/metrics', user })).body.toString()
  await server.stop()
  const namespaces = 'group="",resource="namespaces"'
  for (const line of [
    `apiserver_watch_cache_initialization_duration_seconds_bucket{${namespaces},le="600"} 1`,
    `apiserver_watch_cache_initialization_duration_seconds_count{${namespaces}} 1`,
    `apiserver_storage_list_duration_seconds_bucket{${namespaces},streamed="false",le="60"} 1`,
    `apiserver_storage_list_duration_seconds_count{${namespaces},streamed="false"} 1`
  ])
    assert.ok(text.includes(`\n${line}\n`), line)
})
