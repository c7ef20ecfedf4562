import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { portless } from '../../../client/testing/portless.js'
import type { Behavior, BinnacleServer } from '../../../index.js'
import { eventually } from '../../../testkit/eventually.js'

const user = { name: 'me', groups: ['system:masters'] }

/** Creates a Pod, and waits until it runs. */
async function run(server: BinnacleServer, name: string, spec: object): Promise<void> {
  const pods = server.client().of('v1', 'Pod')
  await pods.create({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec } })
  await eventually(
    'the Pod runs',
    () => pods.get(name),
    ({ status }) => status.phase === 'Running'
  )
}

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

  test('has Pods that answer on their ports as the program says', async t => {
    const behavior = ({ metadata }: Pod): Behavior => ({
      serve: ({ port, method, path }) => {
        if (path === '/fails') throw new Error('no page')
        return metadata.name === 'told' ? `${method} ${path} at ${port}` : undefined
      }
    })
    const server = await portless(t, { simulate: { nodes: 1, behavior } })
    await run(server, 'told', {})
    await run(server, 'plain', { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 8080 }] }] })
    const get = async (path: string) => {
      const answer = await server.inject({ url: `/api/v1/namespaces/default/pods/${path}`, user })
      return [answer.status, answer.body.toString()]
    }
    assert.deepEqual(await get('told:81/proxy/a?b=1'), [200, 'GET /a?b=1 at 81'])
    assert.deepEqual(await get('plain/proxy/'), [200, 'simulated\n'])
    assert.deepEqual(await get('plain/proxy/fails'), [500, 'no page'])
  })
})
