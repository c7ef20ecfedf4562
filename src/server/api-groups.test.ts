import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLogger } from '../util/logger.js'
import { createServer } from './server.js'

const user = { name: 'admin', groups: ['system:masters'] }

async function served(apiGroups: readonly string[]): Promise<{ groups: string[]; core: number }> {
  const server = createServer({ log: silentLogger, apiGroups })
  await server.start()
  try {
    const { groups } = (await server.inject({ url: '/apis', user })).json()
    const { status } = await server.inject({ url: '/api/v1', user })
    return { groups: (groups ?? []).map(({ name }: { name: string }) => name), core: status }
  } finally {
    await server.stop()
  }
}

describe('the option apiGroups', () => {
  it('leaves the named groups', async () => {
    assert.deepEqual(await served(['apps', 'core']), { groups: ['apps'], core: 200 })
    assert.deepEqual(await served([]), { groups: [], core: 404 })
  })

  it('names a group that does not exist', async () => {
    await assert.rejects(served(['app']), { message: '--api-groups: there is no group "app"; did you mean apps?' })
  })
})
