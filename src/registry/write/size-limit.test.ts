import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const limit = 3 * 1024 * 1024
const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const collection = '/apis/apps/v1/namespaces/default/controllerrevisions'
const send = (method: string, url: string, body: object, type = 'application/json') =>
  server.inject({ method, url, user, headers: { 'content-type': type }, body: JSON.stringify(body) })
const make = (name: string, characters: number) =>
  send('POST', collection, { metadata: { name }, revision: 100, data: { large: 'x'.repeat(characters) } })

test('a patch cannot make an object larger than the limit by as much as its version takes', async () => {
  const probe = await make('p', 0)
  const { resourceVersion } = probe.json().metadata
  // stored without its version, and without the line end of the answer
  const stored = probe.body.length - `,"resourceVersion":"${resourceVersion}"\n`.length
  assert.equal((await make('q', limit - stored)).status, 201)
  const set = async (revision: number) =>
    (await send('PATCH', `${collection}/q`, { revision }, 'application/merge-patch+json')).status
  assert.equal(await set(1000), 413)
  assert.equal(await set(200), 200)
  assert.equal(await set(3), 200)
})
