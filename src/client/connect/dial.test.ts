import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, test } from 'node:test'
import type { ClusterAccess } from './access.js'
import { dial } from './dial.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server that takes connections and says nothing. */
async function silentServer(): Promise<URL> {
  const server = createServer(socket => socket.on('error', () => {}).unref()).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const accessTo = (server: URL): ClusterAccess => ({ server }) as ClusterAccess
const anHour = 60 * 60 * 1000

test('a connection that is there outlives the time for making it', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const socket = await dial(accessTo(await silentServer()), undefined, [])
  t.mock.timers.tick(anHour)
  await new Promise(resolve => setImmediate(resolve))
  assert.ok(!socket.destroyed)
  socket.destroy()
})

test('a connection that takes too long to be secured is given up', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const server = await silentServer()
  server.protocol = 'https:'
  const dialing = dial(accessTo(server), undefined, ['h2'])
  const refused = assert.rejects(dialing, /127\.0\.0\.1:\d+: the connection took too long/)
  t.mock.timers.tick(anHour)
  await refused
})
