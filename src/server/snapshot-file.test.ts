import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { serviceAccountToken } from '../client/credentials.js'
import { freshDirectory } from '../storage/testing/fresh-directory.js'
import { silentLogger } from '../util/logger.js'
import type { BinnacleServer } from './binnacle-server.js'
import type { ServerOptions } from './options.js'
import { createServer } from './server.js'

const start = async (t: TestContext, options: ServerOptions = {}) => {
  const server = createServer({ log: silentLogger, listen: false, ...options })
  t.after(() => server.stop())
  await server.start()
  return server
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'courses.school.example.com' },
  spec: {
    group: 'school.example.com',
    scope: 'Namespaced',
    names: { plural: 'courses', kind: 'Course' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
  }
}

async function save(server: BinnacleServer, path: string): Promise<void> {
  await using snapshot = await server.snapshot()
  await snapshot.save(path)
}

/** A server with some objects, and the file of its snapshot. */
async function saved(t: TestContext, options: ServerOptions = {}) {
  const file = join(await freshDirectory(t), 'seeded')
  const server = await start(t, options)
  const client = server.client()
  await client.apply([definition, { apiVersion: 'school.example.com/v1', kind: 'Course', metadata: { name: 'algebra' } }])
  const web = await client.of('v1', 'Service').create({ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } })
  await client.of('v1', 'Secret').create({ metadata: { name: 'key' }, stringData: { key: 'ü' } })
  await save(server, file)
  return { file, server, web }
}

/** Changes the lines of a file. */
const rewrite = async (file: string, change: (lines: string[]) => string[]): Promise<void> =>
  writeFile(
    file,
    gzipSync(
      change(
        gunzipSync(await readFile(file))
          .toString()
          .trimEnd()
          .split('\n')
      ).join('\n')
    )
  )

describe('the file of a snapshot', () => {
  test('starts a server with the objects, resource versions, addresses in use and keys of the one that saved it', async t => {
    const { file, server, web } = await saved(t)
    const token = await serviceAccountToken(server.client(), 'default/default')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const before = await server.client().of('v1', 'Secret').get('key')
    await server.stop()

    const other = await start(t, { snapshot: file })
    const client = other.client()
    assert.deepEqual(await client.of('v1', 'Secret').get('key'), before)
    assert.deepEqual(await client.of('v1', 'Service').get('web'), web)
    assert.equal((await client.untyped('school.example.com/v1', 'Course').get('algebra')).metadata.name, 'algebra')
    const taken = client
      .of('v1', 'Service')
      .create({ metadata: { name: 'b' }, spec: { clusterIP: web.spec.clusterIP, ports: [{ port: 80 }] } })
    await assert.rejects(taken, /provided IP is already allocated/)
    const { status } = await other.inject({
      method: 'GET',
      url: '/apis/authentication.k8s.io/v1',
      headers: { authorization: `Bearer ${token}` }
    })
    assert.equal(status, 200)
    const next = await client.of('v1', 'ConfigMap').create({ metadata: { name: 'next' } })
    assert.ok(Number(next.metadata.resourceVersion) > Number(before.metadata.resourceVersion))
  })

  test('shows watches what comes after it, and tells those from before to list again', async t => {
    const { file, server } = await saved(t)
    const there = server.client().of('v1', 'ConfigMap')
    const gone = await there.create({ metadata: { name: 'gone' } })
    await there.delete('gone')
    const { metadata } = await there.list()
    await save(server, file)
    const client = (await start(t, { snapshot: file })).client()
    const watch = (resourceVersion: string) =>
      client.request({
        method: 'GET',
        url: `/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`
      })
    const made = client.of('v1', 'ConfigMap').create({ metadata: { name: 'after' } })
    assert.match((await watch(metadata!.resourceVersion!)).body.toString(), /"ADDED".*"after"/)
    await made
    assert.match((await watch(gone.metadata.resourceVersion!)).body.toString(), /"code":410/)
  })

  test('can be saved by a server on lmdb, and by one that started from a file', async t => {
    const { file } = await saved(t, { storageBackend: 'lmdb', dataDir: await freshDirectory(t) })
    const second = await start(t, { snapshot: file })
    await second
      .client()
      .of('v1', 'ConfigMap')
      .create({ metadata: { name: 'second' } })
    await save(second, file)
    const third = await start(t, { snapshot: file })
    assert.equal(third.caCertificate, second.caCertificate)
    assert.equal((await third.client().of('v1', 'ConfigMap').get('second')).metadata.name, 'second')
    const names = (await third.client().untyped('school.example.com/v1', 'Course').list()).items.map(
      ({ metadata }) => metadata.name
    )
    assert.deepEqual(names, ['algebra'])
  })

  test('lets forks of its server and the same server start again', async t => {
    const { file } = await saved(t)
    const server = await start(t, { snapshot: file })
    const fork = await server.fork()
    t.after(() => fork.stop())
    await fork.client().of('v1', 'Service').delete('web')
    await server.client().of('v1', 'Service').get('web')
    await server.stop()
    await server.start()
    await server.client().of('v1', 'Service').get('web')
  })

  test('goes on with the random numbers of a seed, so that uids neither differ nor repeat', async t => {
    const { file, web } = await saved(t, { seed: 'golden' })
    const uidsOf = async (seed: string) => {
      const maps = (await start(t, { snapshot: file, seed })).client().of('v1', 'ConfigMap')
      return (await maps.create({ metadata: { name: 'a' } })).metadata.uid
    }
    assert.equal(await uidsOf('golden'), await uidsOf('golden'))
    assert.notEqual(await uidsOf('golden'), await uidsOf('other'))
    assert.notEqual(await uidsOf('golden'), web.metadata.uid)
  })

  test('leaves keys that a folder has, and puts the others there', async t => {
    const { file, server } = await saved(t)
    const [certDir, own] = [await freshDirectory(t), await freshDirectory(t)]
    const first = await start(t, { snapshot: file, certDir })
    assert.equal(first.caCertificate, server.caCertificate)
    assert.equal(await readFile(join(certDir, 'ca.crt'), 'utf8'), server.caCertificate)
    assert.equal((await stat(join(certDir, 'sa.key'))).mode & 0o777, 0o600)
    const other = await start(t, { certDir: own })
    assert.equal((await start(t, { snapshot: file, certDir: own })).caCertificate, other.caCertificate)
    assert.notEqual(other.caCertificate, server.caCertificate)
  })

  test('keeps encrypted values encrypted', async t => {
    const folder = await freshDirectory(t)
    const encryptionProviderConfig = join(folder, 'encryption.yaml')
    const key = Buffer.alloc(32, 7).toString('base64')
    await writeFile(
      encryptionProviderConfig,
      `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers: [{ aescbc: { keys: [{ name: one, secret: ${key} }] } }]
`
    )
    const { file } = await saved(t, { encryptionProviderConfig })
    const text = gunzipSync(await readFile(file)).toString()
    assert.ok(!text.includes(Buffer.from('ü').toString('base64')))
    const server = await start(t, { snapshot: file, encryptionProviderConfig })
    assert.deepEqual((await server.client().of('v1', 'Secret').get('key')).data, { key: Buffer.from('ü').toString('base64') })
  })

  test('is refused with the reason when it is missing, damaged, or newer', async t => {
    const { file } = await saved(t)
    const intact = await readFile(file)
    const refuses = async (why: RegExp, options: ServerOptions = {}) => {
      await assert.rejects(
        createServer({ log: silentLogger, listen: false, snapshot: file, ...options }).start(),
        (error: Error) => {
          assert.equal(error.name, 'UserError')
          assert.match(error.message, why)
          return true
        }
      )
    }
    await refuses(/^--snapshot \/.*\/none: no such file or directory$/, { snapshot: join(file, '..', 'none') })
    await writeFile(file, 'kind: List\n')
    await refuses(/^--snapshot \/.*\/seeded: is no snapshot of Binnacle$/)
    await writeFile(file, gzipSync('{"format":"other"}\n'))
    await refuses(/is no snapshot of Binnacle$/)
    await writeFile(file, intact.subarray(0, -100))
    await refuses(/is damaged, or was cut off: save it again$/)
    const changed = Buffer.from(intact)
    changed[changed.length >> 1]! ^= 1
    await writeFile(file, changed)
    await refuses(/is damaged/)
    await writeFile(file, intact)
    await rewrite(file, lines => lines.slice(0, -1))
    await refuses(/is damaged: it has \d+ of \d+ keys$/)
    await writeFile(file, intact)
    await rewrite(file, ([head, ...lines]) => [head!.replace('"version":1', '"version":2'), ...lines])
    await refuses(/has the format 2, and this Binnacle reads the format 1: use the Binnacle that saved it$/)
    await writeFile(file, intact)
    await rewrite(file, ([head, ...lines]) => [head!.replace('"kubernetes":"v1.', '"kubernetes":"v1.9'), ...lines])
    await refuses(/was saved by a server of Kubernetes v1\.9\d+\.\d+, and this one is of v1\.\d+\.\d+, which is older$/)
    await writeFile(file, intact)
    await rewrite(file, ([head, line, ...lines]) => [head!, line!.replace('"/registry/', '"/other/'), ...lines])
    await refuses(/is damaged: a line is no key$/)
    await writeFile(file, intact)
    await refuses(/^--snapshot is for --storage-backend=memory, not lmdb$/, {
      storageBackend: 'lmdb',
      dataDir: join(file, '..', 'data')
    })
  })

  test('is not written where nobody can write', async t => {
    const server = await start(t)
    await using snapshot = await server.snapshot()
    await assert.rejects(snapshot.save(join(await freshDirectory(t), 'none', 'file')), /none\/file: no such file or directory$/)
  })
})
