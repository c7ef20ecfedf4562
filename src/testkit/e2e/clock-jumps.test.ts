import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { FakeClock } from '../fake-clock.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const configMaps = '/api/v1/namespaces/default/configmaps'
const hour = 3_600_000

test('nothing is lost when the clock jumps back by an hour or forward by a day, and when the server starts after that', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-clock-'))
  const clock = new FakeClock()
  const start = async () => {
    const server = createServer({ storageBackend: 'lmdb', dataDir, clock, log: silentLogger })
    await server.start()
    return server
  }
  let server = await start()
  t.after(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const ask = async (method: string, url: string, body?: object) => {
    const answer = await server.inject({ method, url, user, ...(body && { body }) } as never)
    return { status: answer.status, body: answer.json() }
  }
  let last = 0
  const names: string[] = []
  for (const [i, jump] of [0, -hour, 24 * hour, -hour, 24 * hour].entries()) {
    clock.advance(jump)
    const name = `c${i}`
    const created = await ask('POST', configMaps, { metadata: { name } })
    assert.equal(created.status, 201)
    names.push(name)
    // versions go by writes, not by time
    assert.ok(Number(created.body.metadata.resourceVersion) > last)
    last = Number(created.body.metadata.resourceVersion)
    if (i % 2 === 1) {
      await server.stop()
      server = await start()
    }
    const list = (await ask('GET', configMaps)).body.items.map((item: any) => item.metadata.name)
    assert.deepEqual(
      list.filter((name: string) => name.startsWith('c')),
      names
    )
    // a token is valid at the time at which it is issued, whatever the time was before
    const { body } = await ask('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', { spec: {} })
    const headers = { authorization: `Bearer ${body.status.token}` }
    const review = await server.inject({
      url: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      method: 'POST',
      headers,
      body: {}
    })
    assert.equal(review.status, 201, String(review.body))
  }
})
