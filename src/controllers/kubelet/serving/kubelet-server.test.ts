import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portless } from '../../../client/testing/portless.js'

const user = { name: 'me', groups: ['system:masters'] }

describe('a simulated kubelet', () => {
  test('answers paths that clients choose, whatever they are', async t => {
    const server = await portless(t, { simulate: { nodes: 1 } })
    const get = (path: string) => server.inject({ url: `/api/v1/nodes/node-0/proxy/${path}`, user })
    assert.equal((await get('healthz')).body.toString(), 'ok')
    assert.equal((await get('pods')).json().kind, 'PodList')
    for (const path of ['containerLogs/%zz/a/b', '/', '%', 'containerLogs', 'exec/a/b/c', '?%zz'])
      assert.ok((await get(path)).status >= 400, path)
    assert.equal((await get('healthz')).status, 200)
  })
})
