import assert from 'node:assert/strict'
import https from 'node:https'
import { it } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { silentLogger } from '../util/logger.js'
import { createServer } from './server.js'

it('a server that is told to stop reports not ready, and serves on for a while', async () => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, controllers: [], clock, shutdownDelayDuration: 5000 })
  await server.start()
  const { url } = server
  const status = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const options = { rejectUnauthorized: false, agent: false }
      https.get(`${url}${path}`, options, answer => resolve(answer.resume().statusCode!)).on('error', reject)
    })
  assert.deepEqual([await status('/readyz'), await status('/livez')], [200, 200])
  let stopped = false
  const stopping = server.stop().then(() => {
    stopped = true
  })
  await new Promise(setImmediate)
  assert.deepEqual([await status('/readyz'), await status('/livez')], [500, 200])
  clock.advance(4999)
  await new Promise(setImmediate)
  assert.equal(stopped, false)
  clock.advance(1)
  await stopping
  await assert.rejects(status('/livez'), /ECONNREFUSED/)
})
