/** Kills a server while clients write, again and again, and checks that everything acknowledged is there afterwards. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEtcd } from '../../storage/testing/etcd-process.js'
import { type ServerProcess, startServerProcess } from './server-process.js'

const clients = 16
const mostAcknowledged = 300
const path = '/api/v1/namespaces/default/configmaps'

/** By name: the number of the last acknowledged write; `created` when only its existence is known. */
type Acknowledged = Map<string, number>
const created = -1

/** Writes until the connection breaks, and calls `onAcknowledged` for each acknowledgement. */
async function write(
  server: ServerProcess,
  client: number,
  round: number,
  acknowledged: Acknowledged,
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
      if (answer.status === 409 && !known) acknowledged.set(name, created)
      else if (answer.status >= 500) return
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

async function check(server: ServerProcess, round: number, acknowledged: Acknowledged): Promise<void> {
  const { body } = await server.request('GET', path)
  const found = new Map<string, any>(body.items.map((item: any) => [item.metadata.name, item]))
  for (const [name, n] of acknowledged) {
    const { data } = found.get(name) ?? assert.fail(`round ${round}: ${name} is gone`)
    assert.ok(Number(data.a) >= n, `round ${round}: ${name} is at ${data.a}, ${n} was acknowledged`)
    assert.equal(data.a, data.b)
    assert.equal(data.padding, data.a.repeat(200))
  }
}

/**
 * On the embedded store the server is killed in every round; on etcd the server, etcd, or both. Each round ends after a random number
 * of acknowledgements, however busy the machine is. `workers`: processes of the server, of which the first is killed.
 */
export async function crashRounds(store: 'lmdb' | 'etcd', rounds: number, workers = 1): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-crash-'))
  const etcd = store === 'etcd' ? await startEtcd() : undefined
  const acknowledged: Acknowledged = new Map()
  try {
    for (let round = 1; round <= rounds; round++) {
      const onEtcd = etcd ? ['--storage-backend=etcd3', `--etcd-servers=${etcd.url}`] : []
      const server = await startServerProcess(directory, [`--workers=${workers}`, ...onEtcd])
      try {
        await check(server, round, acknowledged)
        let left = 1 + Math.floor(Math.random() * mostAcknowledged)
        let enough = () => {}
        const enoughAcknowledged = new Promise<void>(resolve => {
          enough = resolve
        })
        // a delay that does not depend on acknowledgements lets the kill come at any moment between two of them
        const onAcknowledged = () => void (--left === 0 && setTimeout(enough, Math.random() * 5))
        const writers = Array.from({ length: clients }, (_, client) => write(server, client, round, acknowledged, onAcknowledged))
        await enoughAcknowledged
        if (etcd && round % 3 !== 0) await etcd.kill()
        await server.kill('SIGKILL')
        if (etcd && round % 3 !== 0) await etcd.restart()
        await Promise.all(writers)
      } finally {
        await server.kill('SIGKILL')
      }
    }
    assert.ok(acknowledged.size > clients)
  } finally {
    await etcd?.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}
