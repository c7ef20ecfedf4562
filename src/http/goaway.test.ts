import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { it } from 'node:test'
import { createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

/** Returns the status of a request over HTTP/2, and whether the server wanted the connection to end. */
async function ask(goawayChance: number): Promise<[number, boolean]> {
  const server = createServer({ log: silentLogger, controllers: [], goawayChance })
  await server.start()
  const session = http2.connect(server.url, { rejectUnauthorized: false })
  try {
    let wasSentAway = false
    session.on('goaway', () => (wasSentAway = true))
    const stream = session.request({ ':path': '/healthz' })
    const status = await new Promise<number>((resolve, reject) => {
      stream.on('response', headers => resolve(headers[':status']!))
      stream.on('error', reject)
    })
    stream.resume()
    await new Promise(resolve => stream.on('close', resolve))
    // the frames of the server arrive in order
    if (goawayChance > 0 && !session.destroyed) await new Promise(resolve => session.on('close', resolve))
    return [status, wasSentAway]
  } finally {
    session.destroy()
    await server.stop()
  }
}

it('a request may end its connection, but is answered', async () => {
  assert.deepEqual(await ask(1), [200, true])
  assert.deepEqual(await ask(0), [200, false])
})
