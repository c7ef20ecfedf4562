/** Labels of request metrics come from closed sets, so that names a client makes up leave no series behind. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type BinnacleServer, createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
})
after(() => server.stop())

const long = 'x'.repeat(10_000)
const series = async () => {
  const { body } = await server.inject({ url: '/metrics', user: admin })
  return body
    .toString()
    .split('\n')
    .filter(line => line.startsWith('apiserver_request_total'))
}
const ask = (method: string, url: string, user?: typeof admin) =>
  server.inject({ method, url, body: method === 'POST' ? {} : undefined, ...(user ? { user } : {}) })

const prefixes = [
  '',
  'api/',
  'apis/',
  'api/v1/',
  'api/v1/namespaces/',
  'apis/apps/',
  'apis/apps/v1/',
  'openapi/',
  'api/v1/watch/'
].map(p => `/${p}`)

describe('metrics of requests', () => {
  it('have no series for names that clients make up', async () => {
    const flood = async (word: string) => {
      for (const user of [undefined, admin])
        for (const prefix of prefixes)
          for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND', word])
            for (const rest of ['', '/pods', `/pods/${word}/${word}`]) await ask(method, `${prefix}${word}${rest}`, user)
      return series()
    }
    await series()
    const first = await flood('x'.repeat(5000))
    assert.ok(!first.some(line => line.includes('xxx')), first.join('\n'))
    assert.equal((await flood('y'.repeat(5000))).length, first.length)
  })

  it('distinguish three kinds of dry run', async () => {
    for (const dryRun of ['All', 'All&dryRun=All', long, 'Al', 'none'])
      await ask('POST', `/api/v1/namespaces/default/configmaps?dryRun=${dryRun}`, admin)
    const found = (await series()).filter(line => line.includes('"configmaps"')).map(line => /dry_run="(.*?)"/.exec(line)![1])
    assert.deepEqual(found.sort(), ['All', 'invalid'])
  })

  it('have the labels of kube-apiserver', async () => {
    await ask('GET', '/api/v1/nodes', admin)
    await ask('GET', '/readyz', admin)
    const all = (await series()).map(line => line.slice(0, line.indexOf('}') + 1))
    const nodes =
      'component="apiserver",dry_run="",group="",resource="nodes",scope="cluster",subresource="",verb="LIST",version="v1"'
    assert.ok(all.includes(`apiserver_request_total{code="200",${nodes}}`), all.join('\n'))
    assert.ok(all.some(line => line.includes('subresource="/readyz"') && line.includes('verb="GET"')))
  })
})
