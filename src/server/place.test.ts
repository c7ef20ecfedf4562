import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../storage/memory/store.js'
import { silentLogger } from '../util/logger.js'
import { createServerAt } from './server.js'

test('each request sees what other processes have committed before it', async t => {
  const inner = openMemoryStore()
  let looks = 0
  const server = createServerAt({ catchUp: () => void looks++ }, { listen: false, store: inner, log: silentLogger })
  await server.start()
  t.after(() => server.stop())
  looks = 0
  const user = { name: 'me', groups: ['system:masters'] }
  for (const url of ['/version', '/api/v1/namespaces', '/nothing']) await server.inject({ url, user })
  assert.equal(looks, 3)
})
