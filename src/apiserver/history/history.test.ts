/** History of a whole server: versions, the past, and what is brought back, to those who may. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const alice = { name: 'alice', groups: ['system:authenticated'] }
const maps = '/api/v1/namespaces/default/configmaps'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const day = 24 * 60 * 60_000

async function withServer(more: object, use: (server: BinnacleServer, clock: FakeClock) => Promise<void>): Promise<void> {
  const clock = new FakeClock(Date.parse('2026-11-27T10:00:00Z'))
  const server = createServer({ log: silentLogger, listen: false, storageBackend: 'memory', history: day, clock, ...more })
  await server.start()
  try {
    await use(server, clock)
  } finally {
    await server.stop()
  }
}

const map = (a: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', namespace: 'default', ...more },
  data: { a }
})

async function ask(server: BinnacleServer, method: string, url: string, body?: unknown, user = admin): Promise<any> {
  const answer = await server.inject({ method, url, body, user })
  return { ...answer.json(), status: answer.status }
}
const past = (server: BinnacleServer, query: string, user = admin) =>
  ask(server, 'GET', `/binnacle/v1/history/${query}`, undefined, user)

for (const backend of ['memory', 'lmdb'] as const)
  describe(`history on ${backend}`, () => {
    const folder = () => (backend === 'lmdb' ? mkdtempSync(join(tmpdir(), 'binnacle-history-')) : undefined)
    const within = async (use: (server: BinnacleServer, clock: FakeClock) => Promise<void>, more: object = {}) => {
      const dataDir = folder()
      try {
        await withServer({ storageBackend: backend, ...(dataDir && { dataDir }), ...more }, use)
      } finally {
        if (dataDir) rmSync(dataDir, { recursive: true })
      }
    }

    test('versions say when, by whom and what; the past can be read and brought back', () =>
      within(async (server, clock) => {
        const first = await ask(server, 'POST', maps, map('1', { labels: { app: 'shop' } }))
        assert.equal(first.status, 201)
        await clock.advance(3_600_000)
        const second = await ask(server, 'PUT', `${maps}/web?fieldManager=editor`, map('2'))
        assert.equal(second.status, 200)
        await clock.advance(3_600_000)
        assert.equal((await ask(server, 'DELETE', `${maps}/web`)).status, 200)
        const query = 'versions?resource=cm&namespace=default&name=web'
        const { versions, history } = await past(server, `${query}&diff=true`)
        assert.equal(history.seconds, 86_400)
        assert.deepEqual(
          versions.map(({ change, time, user, manager }: any) => [change, time, user, manager]),
          [
            ['deleted', '2026-11-27T12:00:00.000Z', 'admin', undefined],
            ['updated', '2026-11-27T11:00:00.000Z', 'admin', 'editor'],
            ['created', '2026-11-27T10:00:00.000Z', 'admin', versions[2].manager]
          ]
        )
        assert.match(versions[1].diff, /^- {2}a: "1"\n\+ {2}a: "2"$/m)
        const page = await past(server, `${query}&limit=1`)
        assert.equal(page.versions.length, 1)
        const next = await past(server, `${query}&limit=2&continue=${page.continue}`)
        assert.deepEqual(
          next.versions.map((v: any) => v.resourceVersion),
          [second.metadata.resourceVersion, first.metadata.resourceVersion]
        )
        const at = 'objects?resource=configmaps&namespace=default'
        assert.equal((await past(server, `${at}&name=web&at=2026-11-27T10:30:00Z`)).data.a, '1')
        assert.equal((await past(server, `${at}&name=web&at=2026-11-27T11:00:00Z`)).data.a, '2')
        assert.equal((await past(server, `${at}&name=web&at=2026-11-27T12:00:01Z`)).status, 404)
        assert.equal((await past(server, `${at}&name=web&at=2026-11-26T12:00:01Z`)).status, 410)
        const names = async (more: string) =>
          (await past(server, at + more)).items.map(({ metadata: { name } }: any) => name).filter((n: string) => n === 'web')
        assert.deepEqual(await names(`&resourceVersion=${first.metadata.resourceVersion}&labelSelector=app%3Dshop`), ['web'])
        assert.deepEqual(await names(`&resourceVersion=${second.metadata.resourceVersion}&labelSelector=app%3Dshop`), [])
        assert.deepEqual(await names('&at=2026-11-27T13:00:00Z'), [])

        const undeleted = await ask(server, 'POST', '/binnacle/v1/history/undelete', {
          resource: 'configmap',
          namespace: 'default',
          name: 'web'
        })
        assert.equal(undeleted.status, 201, JSON.stringify(undeleted))
        assert.equal(undeleted.object.data.a, '2')
        assert.equal(undeleted.formerUid, first.metadata.uid)
        assert.notEqual(undeleted.object.metadata.uid, first.metadata.uid)
        const again = await ask(server, 'POST', '/binnacle/v1/history/undelete', {
          resource: 'configmap',
          namespace: 'default',
          name: 'web'
        })
        assert.equal(again.status, 409)
      }))

    test('what is older than the window is forgotten', () =>
      within(async (server, clock) => {
        await ask(server, 'POST', maps, map('1'))
        for (let i = 0; i < 30; i++) {
          await clock.advance(day / 16)
          await ask(server, 'PUT', `${maps}/web`, map(String(i)))
        }
        await clock.advance(60_000)
        const { versions, history } = await eventually(
          'what is too old has been forgotten',
          () => past(server, 'versions?resource=cm&namespace=default&name=web'),
          ({ versions }) => versions.length <= 20
        )
        assert.ok(versions.length >= 16, `${versions.length} versions`)
        assert.ok(Date.parse(history.since) <= clock.now() - day, history.since)
      }))
  })

test('without --history there is none, and the answer says so', () =>
  withServer({ history: undefined }, async server => {
    const answer = await past(server, 'versions?resource=cm&namespace=default&name=web')
    assert.equal(answer.status, 409)
    assert.match(answer.message, /--history=24h/)
  }))

test('the past is for those who may read the present; Secrets only where they are encrypted', () =>
  withServer({}, async server => {
    await ask(server, 'POST', maps, map('1'))
    await ask(server, 'DELETE', `${maps}/web`)
    const secrets = '/api/v1/namespaces/default/secrets'
    await ask(server, 'POST', secrets, { metadata: { name: 'key' }, stringData: { a: 'hidden' } })
    const path = { verbs: ['get', 'post'], nonResourceURLs: ['/binnacle/v1/history/*'] }
    await ask(server, 'POST', `${rbac}/clusterroles`, { metadata: { name: 'history' }, rules: [path] })
    await ask(server, 'POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'history' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'history' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }]
    })
    const place = 'resource=cm&namespace=default'
    for (const query of [
      `versions?${place}&name=web`,
      `objects?${place}&name=web&at=2026-11-27T10:00:00Z`,
      `objects?${place}&at=2026-11-27T10:00:00Z`
    ])
      assert.equal((await past(server, query, alice)).status, 403, query)
    const body = { resource: 'cm', namespace: 'default', name: 'web' }
    assert.equal((await ask(server, 'POST', '/binnacle/v1/history/undelete', body, alice)).status, 403)
    // get alone shows the past, and does not bring it back
    await ask(server, 'POST', `${rbac}/namespaces/default/roles`, {
      metadata: { name: 'reader' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }]
    })
    await ask(server, 'POST', `${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }]
    })
    assert.equal((await past(server, `versions?${place}&name=web`, alice)).versions.length, 2)
    assert.equal((await past(server, `objects?${place}&resourceVersion=1`, alice)).status, 403)
    assert.equal((await ask(server, 'POST', '/binnacle/v1/history/undelete', body, alice)).status, 403)
    for (const query of [
      'versions?resource=secrets&namespace=default&name=key',
      'objects?resource=secrets&namespace=default&at=2026-11-27T10:00:00Z'
    ]) {
      const answer = await past(server, query)
      assert.equal(answer.status, 409, query)
      assert.match(answer.message, /encrypted at rest/)
      assert.doesNotMatch(JSON.stringify(answer), /aGlkZGVu/)
    }
  }))

test('LMDB keeps the history over a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-history-'))
  const more = { storageBackend: 'lmdb', dataDir }
  try {
    await withServer(more, async server => {
      await ask(server, 'POST', maps, map('1'))
      await ask(server, 'DELETE', `${maps}/web`)
    })
    await withServer(more, async (server, clock) => {
      await clock.advance(1000)
      const { versions } = await past(server, 'versions?resource=cm&namespace=default&name=web')
      assert.deepEqual(
        versions.map(({ change, user }: any) => [change, user]),
        [
          ['deleted', 'admin'],
          ['created', 'admin']
        ]
      )
    })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test('former Secrets are shown where they were encrypted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-history-'))
  const file = join(folder, 'encryption.yaml')
  const key = Buffer.alloc(32, 1).toString('base64')
  writeFileSync(
    file,
    `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - secretbox: {keys: [{name: a, secret: ${key}}]}
`
  )
  try {
    await withServer({ encryptionProviderConfig: file }, async server => {
      const secrets = '/api/v1/namespaces/default/secrets'
      await ask(server, 'POST', secrets, { metadata: { name: 'key' }, stringData: { a: 'hidden' } })
      await ask(server, 'DELETE', `${secrets}/key`)
      const { versions } = await past(server, 'versions?resource=secrets&namespace=default&name=key&diff=true')
      assert.match(versions[1].diff, /^\+ {2}a: aGlkZGVu$/m)
      const body = { resource: 'secrets', namespace: 'default', name: 'key' }
      const { status, object } = await ask(server, 'POST', '/binnacle/v1/history/undelete', body)
      assert.equal(status, 201)
      assert.equal(object.data.a, 'aGlkZGVu')
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
