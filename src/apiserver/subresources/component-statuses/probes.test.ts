import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { askHealth } from './probes.js'

describe('probes of components', () => {
  it('return the reason why a component does not answer', async () => {
    const server = http.createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    assert.deepEqual(await askHealth(port), {
      type: 'Healthy',
      status: 'False',
      message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`
    })
  })
})
