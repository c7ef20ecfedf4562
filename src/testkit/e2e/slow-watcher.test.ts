/** Clients that do not read the answers that they requested. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const path = '/api/v1/namespaces/default/configmaps'
const updates = 60

/** Opens connections as the admin. */
function connect(server: BinnacleServer): https.Agent {
  const kubeconfig = server.kubeconfig()
  const field = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)![1]!, 'base64')
  return new https.Agent({
    ca: server.caCertificate,
    cert: field('client-certificate-data'),
    key: field('client-key-data')
  })
}

test('a watcher that does not read is ended, takes a bounded amount of memory and delays no other client', async t => {
  const server = createServer({ log: silentLogger })
  await server.start()
  t.after(() => server.stop())
  const agent = connect(server)
  t.after(() => agent.destroy())
  const watch = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      https.get(`${server.url}${path}?watch=true&fieldSelector=metadata.name=large`, { agent }, resolve).on('error', reject)
    })
  const [slow, fast] = await Promise.all([watch(), watch()])
  slow.pause()
  let seen = 0
  fast.on('data', (data: Buffer) => {
    for (const byte of data) if (byte === 10) seen++
  })
  const before = process.memoryUsage().arrayBuffers
  let version = ''
  for (let i = 0; i < updates; i++) {
    const { status, body } = await server.inject({
      method: i === 0 ? 'POST' : 'PUT',
      url: i === 0 ? path : `${path}/large`,
      body: { metadata: { name: 'large', resourceVersion: version }, data: { text: String(i % 10).repeat(900_000) } },
      user
    })
    assert.ok(status < 300)
    version = JSON.parse(body.toString()).metadata.resourceVersion
    // the client of the other watch runs in this process, too, so give it a turn
    while (seen <= i) await new Promise(setImmediate)
  }
  // the data that wait for the slow watcher, the history in memory, and garbage
  assert.ok(process.memoryUsage().arrayBuffers - before < 400e6)
  let read = 0
  const ended = new Promise(resolve => slow.once('close', resolve))
  slow.on('error', () => {})
  slow.on('data', (data: Buffer) => {
    for (const byte of data) if (byte === 10) read++
  })
  slow.resume()
  await ended
  assert.ok(read < updates / 2, `${read} of ${updates} were kept for a client that did not read`)
})

test('clients that do not read their answers take little memory, in every form of answer', async t => {
  const server = createServer({ log: silentLogger })
  await server.start()
  t.after(() => server.stop())
  const agent = connect(server)
  t.after(() => agent.destroy())
  // incompressible text
  const text = () => randomBytes(75_000).toString('base64')
  for (let i = 0; i < 100; i++) {
    const body = { metadata: { name: `large-${i}` }, data: { text: text() } }
    assert.equal((await server.inject({ url: path, body, user })).status, 201)
  }
  const ask = (query: string, headers: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      https.get(`${server.url}${path}${query}`, { agent, headers }, resolve).on('error', reject)
    })
  const forms: [string, Record<string, string>][] = [
    ['?watch=true', {}],
    ['', {}],
    ['', { 'accept-encoding': 'gzip' }],
    ['', { accept: 'application/yaml' }],
    ['?pretty=1', {}],
    ['?includeObject=Object', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }]
  ]
  for (const [query, headers] of forms) {
    const before = process.memoryUsage().arrayBuffers
    const unread = await Promise.all(Array.from({ length: 12 }, () => ask(query, headers)))
    for (const response of unread) response.pause()
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    const more = process.memoryUsage().arrayBuffers - before
    // each of these answers has 10 MB; both sides of a connection hold only socket buffers and a piece or two
    assert.ok(more < 60e6, `${JSON.stringify([query, headers])}: ${Math.round(more / 1e6)} MB for 12 clients`)
    for (const response of unread) response.destroy()
  }
})
