/** An extension API server behind an APIService: what clients and the server itself see of it. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { type BinnacleServer, createServer } from '../../index.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { eventually, unchanging } from '../eventually.js'
import { answerJson, type ExtensionServer, peerName, startExtensionServer } from '../extension-server.js'

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
  eventually(
    `the APIService has the reason ${reason}`,
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
        if (discovery(request, response)) return
        // the server asks by itself for /apis and /openapi
        if (request.url!.startsWith(`${root}/`)) answer(request, response)
        else answerJson(response, { kind: 'Status', code: 404 }, 404)
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
      url: `${root}/namespaces/a/flunders?limit=5&fieldSelector=a`,
      headers: {
        authorization: 'Bearer x',
        'x-remote-user': 'root',
        'x-remote-extra-a': 'b',
        'x-custom': 'kept',
        'x-remote-foo': 'kept',
        'x-forwarded-host': 'forged'
      },
      user
    })
    assert.deepEqual([answered.status, answered.json()], [207, { items: [] }])
    const { headers } = seen!
    assert.equal(seen!.url, `${root}/namespaces/a/flunders?fieldSelector=a&limit=5`)
    assert.equal(Buffer.from(headers['x-remote-user'] as string, 'latin1').toString(), 'zoë')
    assert.deepEqual([headers['x-remote-uid'], headers['x-remote-group']], ['7', 'system:masters, b'])
    assert.equal(headers['x-remote-extra-example.com%2ft%c3%a9n'], 'x')
    assert.deepEqual([headers.authorization, headers['x-remote-extra-a']], [undefined, undefined])
    assert.equal(headers['x-custom'], 'kept')
    assert.deepEqual(
      [headers.host, headers['x-forwarded-host'], headers['x-remote-foo']],
      [extension.address, extension.address, 'kept']
    )
    assert.equal(headers['audit-id'], answered.headers['audit-id'])
  })

  it('streams a body in both directions', { timeout: 60_000 }, async () => {
    const total = 64 * 1024 * 1024
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      // the answer begins before the request has ended
      request.pipe(response)
    }
    const request = send(`${root}/namespaces/a/flunders`, { method: 'POST' })
    const [response] = (await Promise.all([
      once(request, 'response'),
      new Promise<void>(resolve => request.write(Buffer.alloc(1024), () => resolve()))
    ])) as [[IncomingMessage], unknown]
    const hash = createHash('sha256')
    const expected = createHash('sha256').update(Buffer.alloc(1024))
    response[0].on('data', chunk => hash.update(chunk))
    for (let sent = 1024; sent < total; ) {
      const chunk = Buffer.alloc(Math.min(256 * 1024, total - sent), sent % 251)
      sent += chunk.length
      expected.update(chunk)
      if (!request.write(chunk)) await once(request, 'drain')
    }
    request.end()
    await once(response[0], 'end')
    assert.equal(hash.digest('hex'), expected.digest('hex'))
  })

  it('asks the server for no more than the client takes', async () => {
    let written = 0
    answer = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const more = () => {
        while (!response.destroyed && written < 512 * 1024 * 1024) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    const [response] = (await once(send(`${root}/flunders`).end(), 'response')) as [IncomingMessage]
    response.pause()
    await unchanging('what was written', () => written)
    assert.ok(written < 128 * 1024 * 1024, `${written} bytes`)
    response.destroy()
  })

  it('ends the request to the server when its client goes away, and tells the client when the server does', async () => {
    let gone: Promise<unknown> | undefined
    answer = (_, response) => {
      gone = once(response, 'close')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{}')
    }
    const watch = async () => {
      const [response] = (await once(send(`${root}/flunders?watch=true`).end(), 'response')) as [IncomingMessage]
      await once(response, 'data')
      return response
    }
    const response = await watch()
    response.on('error', () => {}).destroy()
    await gone
    answer = (request, response) => {
      response.write('{}')
      setTimeout(() => request.socket.destroy(), 20)
    }
    const [error] = await once(await watch(), 'error')
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET')
  })

  it('serves clients that speak HTTP/2', async () => {
    answer = (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => answerJson(response, { method: request.method, body: Buffer.concat(chunks).toString() }, 201))
    }
    const session = http2.connect(server.url, credentials())
    const stream = session.request({ ':method': 'POST', ':path': `${root}/namespaces/a/flunders` }, { endStream: false })
    stream.end('hello')
    const [headers] = await once(stream, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    session.close()
    assert.equal(headers[':status'], 201)
    assert.deepEqual(JSON.parse(Buffer.concat(chunks).toString()), { method: 'POST', body: 'hello' })
  })

  it('joins upgraded connections, WebSocket or not', async () => {
    for (const protocol of ['websocket', 'SPDY/3.1']) {
      let seen: IncomingMessage | undefined
      upgrade = (request, socket) => {
        seen = request
        socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nX-Of: server\r\n\r\nhi `)
        socket.on('error', () => {})
        socket.pipe(socket)
      }
      const secret = `base64url.bearer.authorization.k8s.io.${Buffer.from('no token').toString('base64url')}`
      const headers = {
        connection: 'Upgrade',
        upgrade: protocol,
        ...(protocol === 'websocket'
          ? { 'sec-websocket-key': 'x', 'sec-websocket-version': '13', 'sec-websocket-protocol': `a, ${secret}` }
          : {})
      }
      const [response, socket, head] = await once(send(`${root}/namespaces/a/flunders/b/exec`, { headers }).end(), 'upgrade')
      assert.deepEqual([response.statusCode, response.headers.upgrade, response.headers['x-of']], [101, protocol, 'server'])
      let received = head.toString()
      socket.on('data', (chunk: Buffer) => {
        received += chunk
      })
      socket.write('there')
      await eventually(
        'the bytes come back',
        async () => received,
        text => text === 'hi there'
      )
      socket.destroy()
      assert.equal(seen!.headers['x-remote-user'], 'kubernetes-admin')
      if (protocol === 'websocket') assert.equal(seen!.headers['sec-websocket-protocol'], 'a')
    }
    upgrade = (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno')
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' }
    const [refused] = (await once(send(`${root}/flunders/b/exec`, { headers }).end(), 'response')) as [IncomingMessage]
    assert.equal(refused.statusCode, 403)
    refused.resume()
  })

  it('refuses redirects', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'https://elsewhere/' }).end()
    const { status, body } = await server.inject({ url: `${root}/flunders`, user: admin })
    assert.deepEqual([status, body.toString()], [502, 'the backend attempted to redirect this request, which is not permitted'])
  })

  it('is authorized before it is passed on', async () => {
    const users: (string | string[] | undefined)[] = []
    // the garbage collector lists flunders too, as a user of its own
    answer = (request, response) => {
      users.push(request.headers['x-remote-user'])
      answerJson(response, { kind: 'Status', code: 404 }, 404)
    }
    const { status, json } = await server.inject({ url: `${root}/flunders`, user: { name: 'nobody', groups: [] } })
    assert.equal(status, 403)
    assert.ok(!users.includes('nobody'), 'the extension API server was asked')
    assert.match(json().message, /cannot list resource "flunders" in API group "wardle.example.com" at the cluster scope/)
  })

  it('is in both forms of discovery, in the order of priorities', async () => {
    const found = await eventually(
      'the group is current in discovery',
      async () => {
        const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
        const { json } = await server.inject({ url: '/apis', headers: { accept }, user: admin })
        return json().items.find((item: any) => item.metadata.name === group)
      },
      item => item?.versions[0].freshness === 'Current'
    )
    assert.deepEqual(found.versions, [
      {
        version: 'v1alpha1',
        resources: [
          {
            resource: 'flunders',
            responseKind: { group: '', version: '', kind: 'Flunder' },
            scope: 'Namespaced',
            singularResource: 'flunder',
            verbs: flunders.verbs
          }
        ],
        freshness: 'Current'
      }
    ])
    const groups = (await server.inject({ url: '/apis', user: admin })).json().groups
    assert.deepEqual(groups.at(-1), {
      name: group,
      versions: [{ groupVersion: gv, version: 'v1alpha1' }],
      preferredVersion: { groupVersion: gv, version: 'v1alpha1' }
    })
    assert.deepEqual((await server.inject({ url: root, user: admin })).json().resources, [flunders])
    assert.equal((await server.inject({ url: `/apis/${group}`, user: admin })).json().kind, 'APIGroup')
  })

  it('has what it holds deleted with a namespace', async () => {
    const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await server.inject({ url: '/api/v1/namespaces', body: namespace('doomed'), user: admin })
    let deleted = false
    let asked: IncomingMessage | undefined
    answer = (request, response) => {
      if (request.method === 'DELETE') {
        asked = request
        deleted = true
        return answerJson(response, { kind: 'Status', status: 'Success' })
      }
      answerJson(response, { kind: 'FlunderList', items: deleted ? [] : [{ metadata: { name: 'a' } }] })
    }
    await server.inject({ method: 'DELETE', url: '/api/v1/namespaces/doomed', user: admin })
    await eventually(
      'the namespace is gone',
      async () => (await server.inject({ url: '/api/v1/namespaces/doomed', user: admin })).status,
      status => status === 404
    )
    assert.equal(asked!.url, `${root}/namespaces/doomed/flunders`)
    assert.equal(asked!.headers['x-remote-user'], 'system:serviceaccount:kube-system:namespace-controller')
  })

  it('owns objects of this server, which are deleted when their owner is gone', async () => {
    const uid = '11111111-1111-4111-8111-111111111111'
    answer = (request, response) => {
      const isThere = request.url === `${root}/namespaces/default/flunders/there`
      answerJson(response, isThere ? { metadata: { name: 'there', uid } } : { kind: 'Status', code: 404 }, isThere ? 200 : 404)
    }
    const path = '/api/v1/namespaces/default/configmaps'
    for (const name of ['there', 'gone']) {
      const owner = { apiVersion: gv, kind: 'Flunder', name, uid }
      const body = { metadata: { name: `of-${name}`, ownerReferences: [owner] } }
      assert.equal((await server.inject({ url: path, body, user: admin })).status, 201)
    }
    const status = async (name: string) => (await server.inject({ url: `${path}/${name}`, user: admin })).status
    await eventually(
      'the object of the owner that is gone is gone',
      () => status('of-gone'),
      code => code === 404
    )
    assert.equal(await status('of-there'), 200)
  })

  it('answers 503 while it is not available, and is stale in discovery', async () => {
    const name = `v1alpha1.${group}`
    const patch = (spec: object) =>
      server.inject({
        method: 'PATCH',
        url: `${servicesPath}/${name}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec },
        user: admin
      })
    await patch({ service: { namespace: 'wardle', name: 'missing' } })
    const found = await available(server, 'ServiceNotFound')
    assert.deepEqual([found.status, found.message], ['False', 'service/missing in "wardle" is not present'])
    const { status, body, headers } = await server.inject({ url: `${root}/flunders`, user: admin })
    assert.deepEqual([status, body.toString()], [503, 'service unavailable\n'])
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    await eventually(
      'the group is stale in discovery',
      async () => {
        const { json } = await server.inject({ url: '/apis', headers: { accept }, user: admin })
        return json().items.find((item: any) => item.metadata.name === group).versions
      },
      versions => versions.length === 1 && versions[0].freshness === 'Stale' && versions[0].resources === undefined
    )
    const metrics = (await server.inject({ url: '/metrics', user: admin })).body.toString()
    assert.match(metrics, /aggregator_unavailable_apiservice\{name="v1alpha1.wardle.example.com"\} 1/)
    assert.match(
      metrics,
      /aggregator_unavailable_apiservice_total\{name="v1alpha1.wardle.example.com",reason="ServiceNotFound"\} 1/
    )
    assert.match(
      metrics,
      /apiserver_request_terminations_total\{(?=.*component="aggregator")(?=.*code="503")(?=.*verb="LIST").*\} 1\n/
    )
    await patch({ service: { namespace: 'wardle', name: 'api' } })
    await available(server, 'Passed')
  })

  it('is not available to a server that it has not the certificate of', async () => {
    const other = await startExtensionServer((_, response) => answerJson(response, {}))
    await server.inject({
      method: 'PATCH',
      url: `${servicesPath}/v1alpha1.${group}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { caBundle: other.caBundle } },
      user: admin
    })
    const found = await available(server, 'FailedDiscoveryCheck')
    const url = `https://${extension.address}${root}`
    assert.equal(
      found.message,
      `failing or missing response from ${url}: Get "${url}": tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "binnacle-ca")`
    )
    await other.close()
  })
})

describe('the servers of APIServices', () => {
  it('know this server by a certificate whose authority is published', async t => {
    let address = '127.0.0.1:1'
    const resolveService = {} as Record<string, string>
    const probe = await startExtensionServer(() => {})
    address = probe.address
    await probe.close()
    resolveService['wardle/api'] = address
    const server = createServer({ log: silentLogger, resolveService })
    await server.start()
    t.after(() => server.stop())
    const { data } = await eventually(
      'the ConfigMap has the authorities',
      async () =>
        (
          await server.inject({
            url: '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
            user: admin
          })
        ).json(),
      found => found.data?.['requestheader-client-ca-file'] !== undefined
    )
    assert.deepEqual(JSON.parse(data['requestheader-allowed-names']), ['front-proxy-client'])
    assert.deepEqual(JSON.parse(data['requestheader-username-headers']), ['X-Remote-User'])
    const extension = await startExtensionServer(
      (request, response) => answerJson(response, { peer: peerName(request), resources: [] }),
      { port: Number(address.split(':')[1]), tls: { requestCert: true, ca: data['requestheader-client-ca-file'] } }
    )
    t.after(() => extension.close())
    await register(server, extension)
    const { json } = await server.inject({ url: `${root}/flunders`, user: admin })
    assert.equal(json().peer, 'front-proxy-client')
  })

  it('are shown a certificate that has taken the place of another in its files', async t => {
    const directory = await mkdtemp(join(tmpdir(), 'front-proxy-'))
    const [first, second] = await Promise.all(
      [0, 1].map(async () => (await loadOrCreatePki({ servingNames: [], makesFrontProxy: true, now: Date.now() })).frontProxy!)
    )
    const files = { certificate: join(directory, 'a.crt'), key: join(directory, 'a.key') }
    const put = async (part: keyof typeof files, text: string) => {
      await writeFile(`${files[part]}.new`, text)
      await rename(`${files[part]}.new`, files[part])
    }
    await put('certificate', first!.certificate)
    await put('key', first!.key)
    const extension = await startExtensionServer(
      (request, response) => {
        const peer = (request.socket as TLSSocket).getPeerX509Certificate()
        answerJson(response, { peer: peer?.fingerprint256, resources: [] })
      },
      { tls: { requestCert: true, rejectUnauthorized: false } }
    )
    const failures: string[] = []
    const server = createServer({
      log: { ...silentLogger, error: message => void failures.push(message) },
      resolveService: { 'wardle/api': extension.address },
      proxyClientCertFile: files.certificate,
      proxyClientKeyFile: files.key
    })
    t.after(async () => {
      await server.stop()
      await extension.close()
      await rm(directory, { recursive: true })
    })
    await server.start()
    await register(server, extension)
    const shown = async () => (await server.inject({ url: `${root}/flunders`, user: admin })).json().peer
    const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256
    assert.equal(await shown(), fingerprint(first!.certificate))
    // until the key has followed, the certificate is no use
    await put('certificate', second!.certificate)
    await eventually(
      'the failure is logged',
      async () => failures.join(),
      text =>
        text.includes(`--proxy-client-cert-file ${files.certificate} does not belong to --proxy-client-key-file ${files.key}`)
    )
    assert.equal(await shown(), fingerprint(first!.certificate))
    await put('key', second!.key)
    await eventually('the second certificate is shown', shown, peer => peer === fingerprint(second!.certificate))
  })

  it('ask this server who a token is and what a user may do', async t => {
    const delegate = { name: 'delegate', groups: [] }
    const server = createServer({ log: silentLogger })
    await server.start()
    t.after(() => server.stop())
    const review = (path: string, body: object) => server.inject({ url: path, body, user: delegate })
    const tokens = '/apis/authentication.k8s.io/v1/tokenreviews'
    const access = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
    const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'none' } }
    assert.equal((await review(tokens, token)).status, 403)
    await server.inject({
      url: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        metadata: { name: 'delegate' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' },
        subjects: [{ kind: 'User', name: 'delegate', apiGroup: 'rbac.authorization.k8s.io' }]
      },
      user: admin
    })
    const tokenAnswer = await eventually(
      'the token is reviewed',
      () => review(tokens, token),
      ({ status }) => status === 201
    )
    assert.equal(tokenAnswer.json().status.authenticated, undefined)
    const spec = { user: 'x', groups: ['system:masters'], resourceAttributes: { group, resource: 'flunders', verb: 'list' } }
    const accessAnswer = await review(access, { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec })
    assert.equal(accessAnswer.json().status.allowed, true)
  })
})

describe('a request that is passed on', () => {
  it('is audited and under flow control, and is not counted as one of this server', async t => {
    const extension = await startExtensionServer((request, response) => {
      if (discovery(request, response)) return
      if (request.url!.includes('watch'))
        return void response.writeHead(200, { 'content-type': 'application/json' }).write('{"type":"ADDED"}\n')
      answerJson(response, { kind: 'FlunderList', items: [] })
    })
    const events: { stage: string; verb: string; requestURI: string; responseStatus?: { code: number } }[] = []
    const server = createServer({
      log: silentLogger,
      resolveService: { 'wardle/api': extension.address },
      auditPolicy: {
        rules: [{ level: 'RequestResponse', resources: [{ group }] }]
      },
      auditWrite: event => void events.push(event)
    })
    t.after(async () => {
      await server.stop()
      await extension.close()
    })
    await server.start()
    await register(server, extension)
    const stages = (uri: string) =>
      events
        .filter(({ requestURI }) => requestURI === uri)
        .map(({ stage, verb, responseStatus }) => [stage, verb, responseStatus?.code])
    const list = await server.inject({ url: `${root}/flunders`, user: admin })
    assert.deepEqual([list.status, typeof list.headers['x-kubernetes-pf-flowschema-uid']], [200, 'string'])
    const listed = await eventually(
      'both stages are recorded',
      async () => stages(`${root}/flunders`),
      found => found.length === 2
    )
    assert.deepEqual(listed, [
      ['RequestReceived', 'list', undefined],
      ['ResponseComplete', 'list', 200]
    ])
    const watch = `${root}/flunders?watch=true`
    const ca = server.caCertificate
    const of = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(server.kubeconfig())![1]!, 'base64').toString()
    const options = {
      host: '127.0.0.1',
      port: new URL(server.url).port,
      path: watch,
      agent: false,
      ca,
      cert: of('client-certificate-data'),
      key: of('client-key-data')
    }
    const sent = https.get(options)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    assert.deepEqual(stages(watch), [
      ['RequestReceived', 'watch', undefined],
      ['ResponseStarted', 'watch', 200]
    ])
    sent.destroy()
    await eventually(
      'the end of the watch is recorded',
      async () => stages(watch),
      found => found.some(([stage]) => stage === 'ResponseComplete')
    )
    // as in kube-apiserver, whose endpoints count
    const { body } = await server.inject({ url: '/metrics', user: admin })
    assert.doesNotMatch(String(body), /^apiserver_(?:request_total|longrunning_requests)\{.*resource="flunders"/m)
  })

  it('has its links rewritten where the answer is HTML', async t => {
    const extension = await startExtensionServer((request, response) => {
      if (!discovery(request, response)) response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/x">')
    })
    const server = createServer({ log: silentLogger, resolveService: { 'wardle/api': extension.address } })
    t.after(async () => {
      await server.stop()
      await extension.close()
    })
    await server.start()
    await register(server, extension)
    const { body } = await server.inject({ url: `${root}/flunders`, user: admin })
    assert.equal(String(body), `<a href="https://${extension.address}/x">`)
  })
})

describe('an extension API server with OpenAPI v2 only', () => {
  it('has a document in OpenAPI v3 that is made of it', async t => {
    const path = `${root}/flunders`
    const definition = 'com.example.Flunder'
    const schema = { $ref: `#/definitions/${definition}`, description: 'a flunder' }
    const v2 = {
      swagger: '2.0',
      info: { title: 'Old', version: 'v0' },
      paths: { [path]: { get: { produces: ['application/json'], responses: { 200: { description: 'OK', schema } } } } },
      definitions: { [definition]: { type: 'object' } }
    }
    const extension = await startExtensionServer((request, response) => {
      if (discovery(request, response)) return
      if (request.url === '/openapi/v2') answerJson(response, v2)
      else answerJson(response, { kind: 'Status', code: 404 }, 404)
    })
    const server = createServer({ log: silentLogger, resolveService: { 'wardle/api': extension.address } })
    t.after(async () => {
      await server.stop()
      await extension.close()
    })
    await server.start()
    await register(server, extension)
    const address = () =>
      server.inject({ url: '/openapi/v3', user: admin }).then(({ json }) => json().paths[`apis/${gv}`]?.serverRelativeURL)
    const url = await eventually('the document has an address', address, found => found !== undefined)
    const { status, headers, json } = await server.inject({ url, user: admin })
    assert.deepEqual([status, headers['cache-control'], headers['accept-ranges']], [200, 'public, immutable', 'bytes'])
    assert.equal(url, `/openapi/v3${root}?hash=${String(headers.etag).slice(1, -1)}`)
    const made = { schema: { description: 'a flunder', allOf: [{ $ref: `#/components/schemas/${definition}` }] } }
    assert.deepEqual(json().paths[path].get.responses[200].content, { 'application/json': made })
    await server.inject({ method: 'DELETE', url: `${servicesPath}/v1alpha1.${group}`, user: admin })
    await eventually('the document is gone', address, found => found === undefined)
    assert.equal((await server.inject({ url: `/openapi/v3${root}`, user: admin })).status, 404)
  })
})
