import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createServer } from '../../../server/server.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { silentLogger } from '../../../util/logger.js'

it('a watch without timeoutSeconds ends after the least time of the server, or up to as long again', async () => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, controllers: [], clock, minRequestTimeout: 5000 })
  await server.start()
  try {
    let ended = false
    const url = '/api/v1/namespaces?watch=1&resourceVersion=0'
    const watching = server.inject({ url, user: { name: 'admin', groups: ['system:masters'] } }).then(answer => {
      ended = true
      return answer
    })
    const settle = async () => {
      for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    }
    await settle()
    clock.advance(4999)
    await settle()
    assert.equal(ended, false)
    clock.advance(5001)
    assert.equal((await watching).status, 200)
  } finally {
    await server.stop()
  }
})
