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
