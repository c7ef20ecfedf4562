import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

test('ten servers in one process are independent of each other', async () => {
  const servers = Array.from({ length: 10 }, () => createServer({ log: silentLogger }))
  await Promise.all(servers.map(server => server.start()))
  assert.equal(new Set(servers.map(server => server.url)).size, 10)
  const path = '/api/v1/namespaces/default/configmaps'
  await Promise.all(
    servers.map((server, i) => server.inject({ url: path, user: admin, body: { metadata: { name: `only-${i}` } } }))
  )
  for (const [i, server] of servers.entries()) {
    const { items } = (await server.inject({ url: path, user: admin })).json()
    const names = items.map((item: any) => item.metadata.name).filter((name: string) => name.startsWith('only-'))
    assert.deepEqual(names, [`only-${i}`])
  }
  await Promise.all(servers.map(server => server.stop()))
  // if a stopped server kept the process alive, the test runner would not end
})

test('a request without credentials sees only public information', async () => {
  const server = createServer({ log: silentLogger })
  await server.start()
  assert.equal((await server.inject({ url: '/version' })).status, 200)
  assert.equal((await server.inject({ url: '/api/v1/secrets' })).status, 403)
  assert.equal((await server.inject({ url: '/api/v1/secrets', headers: { authorization: 'Bearer wrong' } })).status, 401)
  await server.stop()
})
