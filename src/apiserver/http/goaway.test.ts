import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { it } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

/** The most requests that are sent: none of them ends the connection once in 10^17 runs. */
const most = 2000

/** Sends requests over HTTP/2 until the server wants the connection to end. Returns their statuses, and whether it did. */
async function ask(
  goawayChance: number,
  requests: number,
  UnauthenticatedHTTP2DOSMitigation = false
): Promise<[ReadonlySet<number>, boolean]> {
  const server = createServer({
    log: silentLogger,
    controllers: [],
    goawayChance,
    featureGates: { UnauthenticatedHTTP2DOSMitigation }
  })
  await server.start()
  const session = http2.connect(server.url, { rejectUnauthorized: false })
  try {
    let wasSentAway = false
    session.on('goaway', () => (wasSentAway = true))
    const statuses = new Set<number>()
    for (let sent = 0; sent < requests && !wasSentAway; sent++) {
      const stream = session.request({ ':path': '/healthz' })
      stream.on('response', headers => statuses.add(headers[':status']!))
      await new Promise((resolve, reject) => stream.on('error', reject).on('close', resolve).resume())
    }
    return [statuses, wasSentAway]
  } finally {
    session.destroy()
    await server.stop()
  }
}

it('a request may end its connection, but is answered', async () => {
  assert.deepEqual(await ask(0.02, most), [new Set([200]), true])
  assert.deepEqual(await ask(0, 20), [new Set([200]), false])
})

it('the request of a client whom nobody knows is the last of its connection', async () => {
  assert.deepEqual(await ask(0, 1, true), [new Set([200]), true])
})
