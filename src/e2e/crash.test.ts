import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServerProcess, startServerProcess } from './server-process.js'

const rounds = 20
const clients = 16
const mostAcknowledged = 300
const path = '/api/v1/namespaces/default/configmaps'

/**
 * Writes until the connection breaks. `acknowledged` maps each name to the number of the last acknowledged write;
 * `onAcknowledged` is called for each acknowledgement.
 */
async function write(
  server: ServerProcess,
  client: number,
  round: number,
  acknowledged: Map<string, number>,
  onAcknowledged: () => void
): Promise<void> {
  try {
    for (let i = 0; ; i++) {
      const name = `c${client}-${i % 7}`
      const known = acknowledged.has(name)
      const n = round * 1_000_000 + i
      // both fields and the padding must be stored together, or not at all
      const object = { metadata: { name }, data: { a: String(n), b: String(n), padding: String(n).repeat(200) } }
      const answer = known ? await server.request('PUT', `${path}/${name}`, object) : await server.request('POST', path, object)
      if (answer.status === 409 && !known) acknowledged.set(name, -1)
      else {
        assert.ok(answer.status === 200 || answer.status === 201, `${answer.status} ${JSON.stringify(answer.body)}`)
        acknowledged.set(name, n)
        onAcknowledged()
      }
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
  }
}

test('every acknowledged write survives SIGKILL, and no partial one does', { timeout: 180_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-crash-'))
  const acknowledged = new Map<string, number>()
  try {
    for (let round = 1; round <= rounds; round++) {
      const server = await startServerProcess(directory)
      const { body } = await server.request('GET', path)
      const found = new Map<string, any>(body.items.map((item: any) => [item.metadata.name, item]))
      for (const [name, n] of acknowledged) {
        const { data } = found.get(name) ?? assert.fail(`round ${round}: ${name} is gone`)
        assert.ok(Number(data.a) >= n, `round ${round}: ${name} is at ${data.a}, ${n} was acknowledged`)
        assert.equal(data.a, data.b)
        assert.equal(data.padding, data.a.repeat(200))
      }
      // kills after a random number of acknowledgements, however busy the machine is, plus a delay independent of them
      let left = 1 + Math.floor(Math.random() * mostAcknowledged)
      let enough = () => {}
      const enoughAcknowledged = new Promise<void>(resolve => {
        enough = resolve
      })
      const onAcknowledged = () => void (--left === 0 && setTimeout(enough, Math.random() * 5))
      const writers = Array.from({ length: clients }, (_, client) => write(server, client, round, acknowledged, onAcknowledged))
      await enoughAcknowledged
      await server.kill('SIGKILL')
      await Promise.all(writers)
    }
    assert.ok(acknowledged.size > clients)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
