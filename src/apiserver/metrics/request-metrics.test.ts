/** Labels of request metrics come from closed sets, so that names a client makes up leave no series behind. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

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

describe('metrics of a server', () => {
  const text = async () => (await server.inject({ url: '/metrics', user: admin })).body.toString()
  const numberOf = async (start: string) => {
    const line = (await text()).split('\n').find(one => one.startsWith(start))
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  const nodes = 'component="apiserver",group="",resource="nodes",scope="cluster",subresource=""'

  it('count watches while they are open', async () => {
    const watch = server.inject({ url: '/api/v1/nodes?watch=1&timeoutSeconds=1', user: admin })
    const labels = `${nodes},verb="WATCH",version="v1"`
    while ((await numberOf(`apiserver_longrunning_requests{${labels}}`)) !== 1) await new Promise(setImmediate)
    await watch
    assert.equal(await numberOf(`apiserver_longrunning_requests{${labels}}`), 0)
    assert.equal(await numberOf(`apiserver_request_total{code="200",component="apiserver",dry_run="",${labels.slice(22)}}`), 1)
  })

  it('tell of requests that took too long, of deprecated versions, and of bodies', async () => {
    await ask('GET', '/api/v1/nodes?timeout=1ns', admin)
    await ask('GET', '/api/v1/componentstatuses', admin)
    await ask('POST', '/api/v1/namespaces/default/secrets', admin)
    const labels = `${nodes},verb="LIST",version="v1"`
    assert.equal(await numberOf(`apiserver_request_terminations_total{code="504",${labels}}`), 1)
    const deprecated = 'group="",removed_release="",resource="componentstatuses",subresource="",version="v1"'
    assert.equal(await numberOf(`apiserver_requested_deprecated_apis{${deprecated}}`), 1)
    assert.equal(await numberOf('apiserver_request_body_size_bytes_count{group="",resource="secrets",verb="create"}'), 1)
  })

  it('are set back by DELETE, but for those that tell the present', async () => {
    await ask('GET', '/api/v1/nodes', admin)
    const { body } = await server.inject({ method: 'DELETE', url: '/metrics', user: admin })
    assert.equal(body.toString(), 'metrics reset\n')
    const labels = `dry_run="",group="",resource="nodes",scope="cluster",subresource="",verb="LIST",version="v1"`
    assert.equal(await numberOf(`apiserver_request_total{code="200",component="apiserver",${labels}}`), 0)
    assert.ok((await numberOf('apiserver_resource_objects{group="",resource="namespaces"}'))! > 0)
  })

  it('have what the caches hold, and what admission and controllers do', async () => {
    const all = await text()
    for (const start of [
      'apiserver_resource_objects{group="",resource="namespaces"} 4',
      'apiserver_watch_cache_initializations_total{group="",resource="pods"} 1',
      'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="false",type="admit"} ',
      'apiserver_admission_controller_admission_duration_seconds_count{name="NamespaceLifecycle",operation="CREATE",rejected="false",type="admit"} ',
      'workqueue_depth{name="autoregister"} 0',
      'kube_apiserver_clusterip_allocator_available_ips{cidr="10.0.0.0/24"} 253',
      'version_info{binary="1.37",component="kube",emulation="1.37",min_compat="1.36"} 1'
    ])
      assert.ok(all.includes(`\n${start}`), start)
  })
})
