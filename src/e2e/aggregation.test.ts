/** An extension API server behind an APIService: what clients and the server itself see of it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import http2 from 'node:http2'
import { after, before, describe, it } from 'node:test'
import { type BinnacleServer, createServer } from '../index.js'
import { answerJson, type ExtensionServer, peerName, startExtensionServer } from '../testing/extension-server.js'
import { silentLogger } from '../util/logger.js'

const group = 'wardle.example.com'
const gv = `${group}/v1alpha1`
const root = `/apis/${gv}`
const admin = { name: 'admin', groups: ['system:masters'] }

const flunders = {
  name: 'flunders',
  singularName: 'flunder',
  namespaced: true,
  kind: 'Flunder',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'watch']
}

function discovery(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== root) return false
  answerJson(response, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: gv, resources: [flunders] })
  return true
}

async function until<T>(get: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await get()
    if (isDone(value)) return value
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

const apiService = (extension: ExtensionServer, spec: object = {}) => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `v1alpha1.${group}` },
  spec: {
    group,
    version: 'v1alpha1',
    groupPriorityMinimum: 2000,
    versionPriority: 15,
    service: { namespace: 'wardle', name: 'api', port: 443 },
    caBundle: extension.caBundle,
    ...spec
  }
})

const servicesPath = '/apis/apiregistration.k8s.io/v1/apiservices'

async function register(server: BinnacleServer, extension: ExtensionServer): Promise<void> {
  const { status } = await server.inject({ url: servicesPath, body: apiService(extension), user: admin })
  assert.equal(status, 201)
  await available(server, 'Passed')
}

const condition = async (server: BinnacleServer) => {
  const { json } = await server.inject({ url: `${servicesPath}/v1alpha1.${group}`, user: admin })
  return json().status.conditions?.[0]
}

const available = (server: BinnacleServer, reason: string) =>
  until(
    () => condition(server),
    found => found?.reason === reason
  )

describe('an APIService', () => {
  let server: BinnacleServer
  let extension: ExtensionServer
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let upgrade: ((request: IncomingMessage, socket: import('node:stream').Duplex) => void) | undefined

  before(async () => {
    extension = await startExtensionServer(
      (request, response) => {
        if (!discovery(request, response)) answer(request, response)
      },
      { upgrade: (request, socket) => upgrade?.(request, socket) }
    )
    answer = (_, response) => answerJson(response, { kind: 'Status', code: 404 }, 404)
    server = createServer({ log: silentLogger, resolveService: { 'wardle/api': extension.address } })
    await server.start()
    await register(server, extension)
  })
  after(async () => {
    await server.stop()
    await extension.close()
  })

  const url = () => new URL(server.url)
  const credentials = () => {
    const of = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(server.kubeconfig())![1]!, 'base64').toString()
    return { ca: server.caCertificate, cert: of('client-certificate-data'), key: of('client-key-data') }
  }
  const send = (path: string, options: https.RequestOptions = {}) =>
    https.request({ host: '127.0.0.1', port: url().port, path, agent: false, ...credentials(), ...options })

  it('passes requests on with the user, and without what the client says of users', async () => {
    let seen: IncomingMessage | undefined
    answer = (request, response) => {
      seen = request
      answerJson(response, { items: [] }, 207)
    }
    const user = { name: 'zoë', uid: '7', groups: ['system:masters', 'b'], extra: { 'example.com/tén': ['x'] } }
    const answered = await server.inject({
      url: `${root}/namespaces/a/flunders?limit=5`,
      headers: { authorization: 'Bearer x', 'x-remote-user': 'root', 'x-remote-extra-a': 'b', 'x-custom': 'kept' },
      user
    })
    assert.deepEqual([answered.status, answered.json()], [207, { items: [] }])
    const { headers } = seen!
    assert.equal(seen!.url, `${root}/namespaces/a/flunders?limit=5`)
    assert.equal(Buffer.from(headers['x-remote-user'] as string, 'latin1').toString(), 'zoë')
    assert.deepEqual([headers['x-remote-uid'], headers['x-remote-group']], ['7', 'system:masters, b'])
    assert.equal(headers['x-remote-extra-example.com%2ft%c3%a9n'], 'x')
    assert.deepEqual([headers.authorization, headers['x-remote-extra-a']], [undefined, undefined])
    assert.equal(headers['x-custom'], 'kept')
    assert.equal(headers.host, extension.address)
    assert.equal(headers['audit-id'], answered.headers['audit-id'])
  })
})
