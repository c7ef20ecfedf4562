import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, controllers: [] })
before(() => server.start())
after(() => server.stop())

test('a connection cannot be a dry run; what is read ignores the parameter', async () => {
  const ask = async (path: string) => (await server.inject({ url: `/api/v1/${path}`, user })).json().message
  for (const path of ['namespaces/default/pods/a/exec', 'namespaces/nowhere/pods/a/portforward', 'nodes/a/proxy/x'])
    for (const query of ['dryRun=All', 'dryRun=']) assert.equal(await ask(`${path}?${query}`), 'dryRun is not supported', path)
  assert.equal(await ask('namespaces/default/pods/a/exec'), 'pods "a" not found')
  assert.equal(await ask('namespaces/default/pods/a/log?dryRun=All'), 'pods "a" not found')
})
