import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createServer, type ServerOptions, StatusError, until } from '../../index.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'
import { connect } from './connect.js'

// tests wait for events, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

async function listening(t: test.TestContext, options: ServerOptions = {}) {
  const server = createServer({
    storageBackend: 'memory',
    bindAddress: '127.0.0.1',
    securePort: 0,
    log: silentLogger,
    ...options
  })
  await server.start()
  t.after(() => server.stop())
  return server
}
const map = (name: string) => ({ metadata: { name } })

describe('connect', () => {
  test('makes the client that the server has, of a kubeconfig', async t => {
    const server = await listening(t)
    await using client = await connect({ kubeconfig: server.kubeconfig(), fieldManager: 'me', namespace: 'team' })
    assert.deepEqual([client.url, client.namespace], [server.url, 'team'])
    await client.of('v1', 'Namespace').create(map('team'))
    const made = await client.of('v1', 'ConfigMap').create({ ...map('a'), data: { colour: 'red' } })
    assert.deepEqual([made.metadata.namespace, made.metadata.managedFields?.[0]?.manager], ['team', 'me'])
    assert.equal((await server.client().of('v1', 'ConfigMap').get('a', { namespace: 'team' })).data?.colour, 'red')
    setImmediate(() => void client.of('v1', 'ConfigMap').patch('a', { data: { colour: 'blue' } }))
    await until(client, { apiVersion: 'v1', kind: 'ConfigMap', ...map('a') } as const, ({ data }) => data?.colour === 'blue')
    await assert.rejects(
      client.of('v1', 'ConfigMap').get('b'),
      (error: any) => error instanceof StatusError && error.code === 404
    )
    const [applied] = await client.apply('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n')
    assert.equal(applied?.metadata.namespace, 'team')
  })

  test('acts as another user by impersonation', async t => {
    const server = await listening(t)
    await using alice = await connect({ kubeconfig: server.kubeconfig(), user: { name: 'alice', groups: ['devs'] } })
    await assert.rejects(alice.of('v1', 'Secret').list(), /User "alice" cannot list resource "secrets"/)
    const { status } = await alice.of('authentication.k8s.io/v1', 'SelfSubjectReview').create({} as object)
    assert.deepEqual(status?.userInfo?.groups, ['devs', 'system:authenticated'])
  })

  test('informers go on after the server was away, without an event too many', async t => {
    const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-connect-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const server = await listening(t, { storageBackend: 'lmdb', dataDir })
    await using client = await connect({ kubeconfig: server.kubeconfig() })
    using informer = client.of('v1', 'ConfigMap').informer({ namespace: 'default', labelSelector: 'app=x' })
    const events: string[] = []
    const errors: unknown[] = []
    for (const event of ['add', 'update', 'delete'] as const)
      informer.on(event as 'add', object => void events.push(`${event} ${object.metadata.name}`))
    informer.on('error', error => void errors.push(error))
    await informer.synced
    const labelled = (name: string) => ({ metadata: { name, labels: { app: 'x' } } })
    await client.of('v1', 'ConfigMap').create(labelled('a'))
    await eventually('the informer knows of a', () => events.length === 1)
    const { url } = server
    await server.stop()
    const next = await listening(t, { storageBackend: 'lmdb', dataDir, securePort: Number(new URL(url).port) })
    await next.client().of('v1', 'ConfigMap').create(labelled('b'))
    await eventually('the informer knows of b', () => events.length === 2)
    assert.deepEqual(events, ['add a', 'add b'])
    assert.ok(errors.length > 0)
  })

  test('ends watches and informers with close', async t => {
    const server = await listening(t)
    const client = await connect({ kubeconfig: server.kubeconfig() })
    const events = client.of('v1', 'ConfigMap').watch()
    await events.next()
    const informer = client.of('v1', 'ConfigMap').informer()
    await informer.synced
    const rest = (async () => {
      for await (const _ of events);
    })()
    await client.close()
    await assert.rejects(rest, /the client has been closed/)
    await assert.rejects(client.of('v1', 'ConfigMap').list(), /the client has been closed/)
  })

  test('says what is wrong with its options', async () => {
    const refused: [object, RegExp][] = [
      [{ kubeconfg: '' }, /unknown option "connect\.kubeconfg"; did you mean kubeconfig\?/],
      [{ url: 'ftp://x' }, /connect\.url must be a URL like https:\/\/127\.0\.0\.1:6443, not "ftp:\/\/x"/],
      [{ url: 'https://x', kubeconfig: '' }, /connect takes only one of url, kubeconfig/],
      [{ token: 'x' }, /connect\.token needs connect\.url/],
      [{ url: 'http://api.example', token: 'x' }, /connect\.token would be sent in the clear/],
      [{ url: 'https://x', proxy: 'ftp://y' }, /connect\.proxy must be a URL that begins with http/],
      [{ rateLimit: { qps: 0, burst: 1 } }, /connect\.rateLimit must be an object with qps above 0 and burst of at least 1/],
      [{ kubeconfig: '/none' }, /kubeconfig \/none: no such file or directory/],
      [{ inCluster: true }, /this is no Pod/]
    ]
    for (const [options, message] of refused) await assert.rejects(connect(options), message)
  })
})
