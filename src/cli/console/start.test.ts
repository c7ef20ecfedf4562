/** The console beside a server with TLS, by a kubeconfig with a client certificate. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { WebSocket } from 'ws'
import { clusterAccess } from '../../client/connect/connect.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { type RunningConsole, startConsole } from './start.js'

let folder: string
let server: BinnacleServer
let console: RunningConsole
let token: string
const namespaces = '/api/v1/namespaces'

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-start-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  console = await startConsole({ access: await clusterAccess({ kubeconfig: server.kubeconfig() }), port: 0, folder })
  const code = console.link().split('=')[1]
  const answer = await fetch(`${own()}/console/session`, { method: 'POST', headers: json, body: JSON.stringify({ code }) })
  token = ((await answer.json()) as { token: string }).token
})
after(async () => {
  console.close()
  await server.stop()
  await rm(folder, { recursive: true })
})

const own = () => `http://127.0.0.1:${console.port}`
const json = { 'content-type': 'application/json' }
const ask = (path: string, init: RequestInit = {}) =>
  fetch(own() + path, { ...init, headers: { authorization: `Bearer ${token}`, ...json, ...init.headers } })
const create = (name: string, headers = {}) =>
  ask(namespaces, { method: 'POST', body: JSON.stringify({ metadata: { name } }), headers })

it('reads and writes as the user of the kubeconfig, or as the one that the page names', async () => {
  assert.equal((await create('one')).status, 201)
  assert.equal(((await (await ask(`${namespaces}/one`)).json()) as { metadata: { name: string } }).metadata.name, 'one')
  const refused = await create('two', { 'impersonate-user': 'bob' })
  assert.equal(refused.status, 403)
  assert.match(((await refused.json()) as { message: string }).message, /User "bob"/)
  assert.equal(console.cluster.name, 'binnacle')
})

it('streams watches, and brings what is written meanwhile', async () => {
  const abort = new AbortController()
  const { body } = await ask(`${namespaces}?watch=1&fieldSelector=metadata.name=watched`, { signal: abort.signal })
  const reader = body!.getReader()
  assert.equal((await create('watched')).status, 201)
  const { value } = await reader.read()
  assert.equal(JSON.parse(Buffer.from(value!).toString()).object.metadata.name, 'watched')
  abort.abort()
})

it('streams watches over WebSockets, to which browsers send tokens as subprotocols', async () => {
  const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`
  const url = `${own().replace('http', 'ws')}${namespaces}?watch=1&fieldSelector=metadata.name=heard`
  const socket = new WebSocket(url, [bearer, 'v1.json.k8s.io'], { headers: { origin: own() } })
  await once(socket, 'open')
  assert.equal(socket.protocol, 'v1.json.k8s.io')
  const heard = once(socket, 'message')
  assert.equal((await create('heard')).status, 201)
  assert.equal(JSON.parse(String((await heard)[0])).object.metadata.name, 'heard')
  socket.terminate()
  const stranger = new WebSocket(url, ['v1.json.k8s.io'], { headers: { origin: own() } })
  const [, refused] = await once(stranger, 'unexpected-response')
  assert.equal(refused.statusCode, 401)
  const elsewhere = new WebSocket(url, [bearer, 'v1.json.k8s.io'], { headers: { origin: 'https://evil.example' } })
  assert.equal((await once(elsewhere, 'unexpected-response'))[1].statusCode, 403)
})
