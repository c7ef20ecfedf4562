/** Extension API servers that answer without end, or with too much. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import { after, before, it } from 'node:test'
import { RemoteConnections } from '../../apiserver/aggregation/remote-connections.js'
import { RemoteObjects } from '../../apiserver/aggregation/remote-objects.js'
import { type BinnacleServer, createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'
import { answerJson, type ExtensionServer, startExtensionServer } from '../extension-server.js'

const user = { name: 'admin', groups: ['system:masters'] }
const services = '/apis/apiregistration.k8s.io/v1/apiservices'
let server: BinnacleServer
let extension: ExtensionServer
/** What the back end does with the paths that begin so. */
const rules = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()

before(async () => {
  extension = await startExtensionServer((request, response) => {
    const rule = [...rules].find(([path]) => request.url!.startsWith(path))?.[1]
    if (rule) return rule(request, response)
    if (!/^\/apis\/[^/]+\/v1$/.test(request.url!)) return answerJson(response, {}, 404)
    answerJson(response, { kind: 'APIResourceList', groupVersion: request.url!.slice(6), resources: [] })
  })
  const names = ['a', 'b', 'c', 'd']
  server = createServer({
    log: silentLogger,
    resolveService: Object.fromEntries(names.map(name => [`default/${name}`, extension.address]))
  })
  await server.start()
})
after(async () => {
  await server.stop()
  await extension.close()
})

const get = async (url: string) => (await server.inject({ url, user })).json()

/** Declares a group version of the back end; resolves with its path when it is available. */
async function declare(name: string): Promise<string> {
  const group = `${name}.example.com`
  const service = { namespace: 'default', name, port: 443 }
  const spec = { group, version: 'v1', service, groupPriorityMinimum: 1, versionPriority: 1, insecureSkipTLSVerify: true }
  const { status } = await server.inject({ url: services, body: { metadata: { name: `v1.${group}` }, spec }, user })
  assert.equal(status, 201)
  await eventually(
    `v1.${group} is available`,
    () => get(`${services}/v1.${group}`),
    ({ status }) => status?.conditions?.[0].status === 'True'
  )
  return `/apis/${group}/v1`
}

const endless = (_: IncomingMessage, response: ServerResponse) => {
  const more = () => {
    while (!response.destroyed) if (!response.write('x'.repeat(65_536))) return void response.once('drain', more)
  }
  more()
}

it('are available when the head of their answer says so, whatever follows', async () => {
  const closed = new Promise(resolve =>
    rules.set('/apis/a.example.com/v1', (request, response) => {
      response.once('close', resolve)
      endless(request, response)
    })
  )
  await declare('a')
  await closed
  rules.clear()
})

it('have to end their answer in the time of the request', async () => {
  const path = await declare('b')
  let closed: Promise<unknown> | undefined
  rules.set(`${path}/things`, (_, response) => {
    closed = once(response, 'close')
    response.writeHead(200, { 'content-length': '100' }).write('x')
  })
  const field = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(server.kubeconfig())![1]!, 'base64')
  const [cert, key] = [field('client-certificate-data'), field('client-key-data')]
  const request = https.get(`${server.url}${path}/things?timeout=100ms`, { ca: server.caCertificate, cert, key, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  await assert.rejects(answer.toArray(), { message: 'aborted' })
  await closed
  rules.clear()
})

it('are not heard with discovery of more values than resources have', async () => {
  const versions = (resources: object[]) => ({ metadata: { name: 'c.example.com' }, versions: [{ version: 'v1', resources }] })
  const list = (resources: object[]) => ({ kind: 'APIGroupDiscoveryList', items: [versions(resources)] })
  const things = { resource: 'things', responseKind: { kind: 'Thing' }, scope: 'Cluster', verbs: ['get'] }
  let asked = 0
  let resources = Array(300_000).fill({})
  rules.set('/apis', ({ url }, response) => {
    if (url !== '/apis') return answerJson(response, {})
    asked++
    answerJson(response, list(resources), 200, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
  })
  await declare('c')
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const shown = async () => {
    const { items } = (await server.inject({ url: '/apis', user, headers: { accept } })).json()
    return items.find(({ metadata }: any) => metadata.name === 'c.example.com')?.versions[0]
  }
  const refused = await eventually('the group is asked for again', shown, version => version !== undefined && asked > 1)
  assert.deepEqual([refused.freshness, refused.resources], ['Stale', undefined])
  resources = [things]
  const fresh = await eventually('the group is current', shown, ({ freshness }) => freshness === 'Current')
  assert.deepEqual(
    fresh.resources.map(({ resource }: any) => resource),
    ['things']
  )
  rules.clear()
})

it('do not put more than a megabyte into the index of OpenAPI v3', async () => {
  const address = { serverRelativeURL: '/openapi/v3/apis/d.example.com/v1?hash=A' }
  let isLarge = true
  rules.set('/openapi/v3', (_, response) => {
    answerJson(response, { paths: { 'apis/d.example.com/v1': address, large: isLarge ? 'x'.repeat(1024 * 1024) : '' } })
    isLarge = false
  })
  await declare('d')
  const { paths } = await eventually(
    'the index has the document',
    () => get('/openapi/v3'),
    ({ paths }) => 'apis/d.example.com/v1' in paths
  )
  assert.deepEqual(paths['apis/d.example.com/v1'], address)
  assert.equal(isLarge, false)
  rules.clear()
})

it('end a list after so many pages', async () => {
  const connections = new RemoteConnections(() => ({ host: '127.0.0.1', port: extension.port }), undefined)
  const remote = {
    name: 'v1.e.example.com',
    group: 'e.example.com',
    version: 'v1',
    server: { namespace: 'default', name: 'e', port: 443, ca: undefined, insecure: true }
  }
  const of = { remote, resource: { resource: 'things' } } as any
  rules.set('/apis/e.example.com/v1/things', (_, response) => answerJson(response, { metadata: { continue: 'x' }, items: [] }))
  let pages = 0
  await assert.rejects(
    async () => {
      for await (const _ of new RemoteObjects(connections, 3).list(of, new AbortController().signal)) pages++
    },
    { message: 'listing things: more than 3 pages' }
  )
  assert.equal(pages, 3)
  connections.close()
  rules.clear()
})
