/** Encryption at rest of a whole server: nothing readable on the disk, keys that change while it runs, a KMS plugin that comes and goes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import { startKmsPlugin } from '../../storage/encryption/testing/kms-plugin.js'
import { openLmdbStore } from '../../storage/lmdb/store.js'
import { systemClock } from '../../util/clock.js'
import { UserError } from '../../util/user-error.js'
import { eventually } from '../eventually.js'
import { FakeClock } from '../fake-clock.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const secrets = '/api/v1/namespaces/default/secrets'
const secretOf = (name: string) => Buffer.alloc(32, name).toString('base64')
const keyed = (provider: string, ...names: string[]) => ({
  [provider]: { keys: names.map(name => ({ name, secret: secretOf(name) })) }
})

function setUp(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-encryption-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'encryption.json')
  const write = (resources: readonly string[], ...providers: object[]) =>
    writeFileSync(
      path,
      JSON.stringify({
        kind: 'EncryptionConfiguration',
        apiVersion: 'apiserver.config.k8s.io/v1',
        resources: [{ resources, providers }]
      })
    )
  const lines: string[] = []
  const log = { error: (line: string) => void lines.push(line), warn() {}, info() {} }
  const start = async (options: ServerOptions = {}) => {
    const server = createServer({
      storageBackend: 'lmdb',
      dataDir: join(directory, 'data'),
      encryptionProviderConfig: path,
      log,
      ...options
    })
    await server.start()
    let stopped = false
    const stop = async () => {
      if (!stopped) await server.stop()
      stopped = true
    }
    t.after(stop)
    const send = async (url: string, body?: object, method?: 'PUT' | 'DELETE') => {
      const {
        status,
        json,
        body: bytes
      } = await server.inject({ url, user, ...(body ? { body } : {}), ...(method ? { method } : {}) })
      return { status, body: isJson(bytes) ? json() : undefined, text: () => bytes.toString() }
    }
    const create = async (name: string, word: string, url = secrets, kind = 'Secret') => {
      const data = kind === 'Secret' ? { data: { word: Buffer.from(word).toString('base64') } } : { data: { word } }
      assert.equal((await send(url, { kind, apiVersion: 'v1', metadata: { name }, ...data })).status, 201)
    }
    const wordOf = async (name: string) => {
      const { body } = await send(`${secrets}/${name}`)
      return body.data ? Buffer.from(body.data.word, 'base64').toString() : `${body.code} ${body.message}`
    }
    const names = async () => (await send(secrets)).body.items.map(({ metadata }: any) => metadata.name)
    return { server, stop, send, create, wordOf, names }
  }
  return { directory, path, write, start, lines }
}

const isJson = (bytes: Buffer | string) => bytes.toString().startsWith('{')

/** All bytes of the files below a folder. */
function allBytes(directory: string): Buffer {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(name => join(directory, name))
  return Buffer.concat(files.filter(file => statSync(file).isFile()).map(file => readFileSync(file)))
}

/** The value as it lies in the store. */
async function stored(directory: string, key: string): Promise<string> {
  const store = await openLmdbStore({ directory: join(directory, 'data', 'store'), clock: systemClock })
  try {
    return (await store.get(key))!.value.toString('latin1')
  } finally {
    await store.close()
  }
}

/** Words that compression leaves as they are. */
const words = ['one', 'two', 'three'].map(name => createHash('sha256').update(name).digest('base64url'))
const inBase64 = (word: string) => Buffer.from(word).toString('base64')

for (const provider of ['identity', 'aescbc', 'aesgcm', 'secretbox'])
  describe(`with ${provider}`, () => {
    const isPlain = provider === 'identity'
    it(`the data folder shows ${isPlain ? 'all secrets' : 'no secret'}, and a restart reads all of them`, async t => {
      const { directory, write, start } = setUp(t)
      write(['secrets'], isPlain ? { identity: {} } : keyed(provider, 'key1'))
      let server = await start()
      await server.create('a', words[0]!)
      const { body } = await server.send(`${secrets}/a`)
      body.data.word = inBase64(words[1]!)
      assert.equal((await server.send(`${secrets}/a`, body, 'PUT')).status, 200)
      await server.create('gone', words[2]!)
      assert.equal((await server.send(`${secrets}/gone`, {}, 'DELETE')).status, 200)
      await server.stop()
      const bytes = allBytes(join(directory, 'data', 'store'))
      for (const word of words) assert.equal(bytes.includes(inBase64(word)), isPlain, word)
      server = await start()
      assert.equal(await server.wordOf('a'), words[1])
      await server.stop()
    })
  })

const untransformable =
  'StorageError: corrupt object, Code: 7, Key: /secrets/default/a, ResourceVersion: 0, AdditionalErrorMsg: data from the storage is not transformable revision=0: '

describe('keys', () => {
  it('are replaced without a restart; an update that changes nothing then stores the value anew', async t => {
    const { directory, write, start } = setUp(t)
    write(['secrets'], keyed('aesgcm', 'key1'))
    const server = await start({ encryptionProviderConfigAutomaticReload: true })
    await server.create('a', words[0]!)
    const rewritten = async () => {
      const { body } = await server.send(`${secrets}/a`)
      const updated = await server.send(`${secrets}/a`, body, 'PUT')
      return updated.body.metadata.resourceVersion !== body.metadata.resourceVersion
    }
    assert.equal(await rewritten(), false)
    write(['secrets'], keyed('aesgcm', 'key2', 'key1'))
    await server.server.reload()
    assert.equal(await rewritten(), true)
    assert.equal(await rewritten(), false)
    assert.equal((await server.send('/healthz/kms-providers')).status, 200)
    await server.stop()
    write(['secrets'], keyed('aesgcm', 'key2'))
    const again = await start()
    assert.equal(await again.wordOf('a'), words[0])
    await again.stop()
    assert.match(await stored(directory, '/registry/secrets/default/a'), /^k8s:enc:aesgcm:v1:key2:/)
  })

  it('that are missing make a Secret unreadable, not lost; they may come back by a reload', async t => {
    const { write, start, lines } = setUp(t)
    write(['secrets'], keyed('aescbc', 'key1'))
    let server = await start()
    await server.create('a', words[0]!)
    await server.stop()
    write(['secrets'], keyed('aescbc', 'key2'))
    server = await start({ encryptionProviderConfigAutomaticReload: true })
    await server.create('b', words[1]!)
    const why = 'no matching key was found for the provided AES transformer'
    assert.equal(await server.wordOf('a'), `500 Internal error occurred: ${untransformable}${why}`)
    const list = await server.send(secrets)
    assert.deepEqual([list.status, list.body.details.causes.length], [500, 1])
    assert.match(list.body.message, new RegExp(`Key: /registry/secrets/default/a, .*${why}$`))
    assert.equal((await server.send(`${secrets}?resourceVersion=0`)).status, 429)
    assert.ok(lines.includes(`/registry/secrets/default/a in the store is not shown: ${why}`))
    const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } }
    assert.equal((await server.send(secrets, secret)).status, 409)
    assert.equal((await server.send(`${secrets}/a`, secret, 'PUT')).status, 500)
    assert.equal((await server.send(`${secrets}/a`, {}, 'DELETE')).status, 500)
    write(['secrets'], keyed('aescbc', 'key2', 'key1'))
    await server.server.reload()
    await eventually('the Secret is readable', async () => (await server.wordOf('a')) === words[0])
    assert.deepEqual(await server.names(), ['a', 'b'])
  })

  it('stay when the changed file is bad, which the log says without showing keys', async t => {
    const { write, start, lines, path } = setUp(t)
    write(['secrets'], keyed('aescbc', 'key1'))
    const server = await start({ encryptionProviderConfigAutomaticReload: true })
    for (const text of [secretOf('key3'), `{"kind": "EncryptionConfiguration", "keys": "${secretOf('key3')}"}`]) {
      writeFileSync(path, text)
      await server.server.reload()
    }
    write(['secrets'], { aescbc: { keys: [{ name: 'a', secret: `${secretOf('key3')}x` }] } })
    await server.server.reload()
    const found = lines.filter(line =>
      line.startsWith(`error processing encryption config file ${path}: error while parsing file: `)
    )
    assert.equal(found.length, 3, lines.join('\n'))
    assert.ok(!lines.join().includes(secretOf('key3').slice(0, 20)))
    await server.create('a', words[0]!)
    assert.equal(await server.wordOf('a'), words[0])
    const { text } = await server.send('/metrics')
    assert.match(text(), /apiserver_encryption_config_controller_automatic_reloads_total\{[^}]*status="failure"\} 3/)
  })

  it('that cannot be used keep a server from starting', async t => {
    const { write, start } = setUp(t)
    write(['secrets'], { aescbc: { keys: [{ name: 'a', secret: 'c2hvcnQ=' }] } })
    await assert.rejects(start(), error => {
      assert.ok(error instanceof UserError)
      assert.equal(
        error.message,
        'error while parsing file: resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [16 24 32]'
      )
      return true
    })
    await assert.rejects(start({ encryptionProviderConfig: undefined, encryptionProviderConfigAutomaticReload: true }), {
      message: '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config'
    })
  })
})

describe('without encryption', () => {
  it('an encrypted value is not shown, and its reason is', async t => {
    const { write, start } = setUp(t)
    write(['secrets'], keyed('aesgcm', 'key1'))
    const server = await start()
    await server.create('a', words[0]!)
    await server.stop()
    const plain = await start({ encryptionProviderConfig: undefined })
    assert.equal(
      await plain.wordOf('a'),
      `500 Internal error occurred: ${untransformable}identity transformer tried to read encrypted data`
    )
  })

  it('a server does not start whose namespaces are encrypted', async t => {
    const { write, start, directory } = setUp(t)
    write(['*.*'], keyed('aesgcm', 'key1'))
    const server = await start()
    await server.create('a', words[0]!)
    await server.stop()
    const store = await openLmdbStore({ directory: join(directory, 'data', 'store'), clock: systemClock })
    const { items } = await store.list('/registry/')
    await store.close()
    for (const { key, value } of items)
      assert.equal(value.toString('latin1', 0, 8) === 'k8s:enc:', !key.startsWith('/registry/ranges/'), key)
    await assert.rejects(start({ encryptionProviderConfig: undefined }), {
      name: 'UserError',
      message: 'the namespace "default" in the store cannot be read: identity transformer tried to read encrypted data'
    })
  })
})

describe('with KMS', () => {
  it('a plugin that is down at the start makes its resources unreadable until it comes', async t => {
    const { directory, write, start } = setUp(t)
    const plugin = await startKmsPlugin(join(directory, 'kms.sock'))
    t.after(() => plugin.down())
    const kms = { kms: { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint, timeout: '100ms' } }
    write(['secrets'], { kms: { ...kms.kms, timeout: '10s' } })
    let server = await start()
    await server.create('a', words[0]!)
    assert.equal((await server.send('/readyz')).status, 200)
    await server.stop()
    assert.ok(!allBytes(join(directory, 'data', 'store')).includes(inBase64(words[0]!)))

    await plugin.down()
    write(['secrets'], kms)
    const clock = new FakeClock(Date.now())
    server = await start({ clock })
    assert.equal(await server.wordOf('a'), `500 Internal error occurred: ${untransformable}got unexpected nil transformer`)
    const body = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'b' } }
    assert.equal((await server.send(secrets, body)).body.message, 'Internal error occurred: got unexpected nil transformer')
    assert.equal((await server.send('/livez')).status, 200)
    const unhealthy = await server.send('/readyz/kms-providers')
    assert.equal(unhealthy.status, 500)
    await plugin.up()
    await eventually('the Secret is readable', async () => {
      clock.advance(10_000)
      return (await server.wordOf('a')) === words[0]
    })
    await server.create('b', words[1]!)
    assert.deepEqual(await server.names(), ['a', 'b'])

    plugin.rotate('key-2')
    const rewritten = async () => {
      const { body } = await server.send(`${secrets}/a`)
      const updated = await server.send(`${secrets}/a`, body, 'PUT')
      return updated.body.metadata.resourceVersion !== body.metadata.resourceVersion
    }
    await eventually('the new key id is in use', async () => {
      clock.advance(60_000)
      return rewritten()
    })
    assert.equal(await server.wordOf('a'), words[0])
  })

  it('a new file counts when its plugin is healthy, and is tried until then', async t => {
    const { directory, write, start, lines } = setUp(t)
    const plugin = await startKmsPlugin(join(directory, 'kms.sock'))
    t.after(() => plugin.down())
    plugin.setHealth('sick')
    write(['secrets'], keyed('aesgcm', 'key1'))
    const clock = new FakeClock(Date.now())
    const server = await start({ clock, encryptionProviderConfigAutomaticReload: true })
    const kms = { kms: { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint } }
    write(['secrets'], kms, keyed('aesgcm', 'key1'))
    const reload = server.server.reload()
    const why = 'kms-provider-0: kmsv2 Provider vault is not healthy, error: got unexpected healthz status: sick'
    await eventually('the file is refused', () => {
      clock.advance(1000)
      return lines.some(line => line.endsWith(why))
    })
    await reload
    await server.create('a', words[0]!)
    assert.equal((await server.send('/healthz/kms-providers')).status, 200)
    plugin.setHealth('ok')
    await eventually('the file is used', async () => {
      clock.advance(1000)
      return (await server.send('/metrics')).text().includes('status="success"} 1')
    })
    await server.create('b', words[1]!)
    assert.deepEqual([await server.wordOf('a'), await server.wordOf('b')], [words[0], words[1]])
    await server.stop()
    assert.match(await stored(directory, '/registry/secrets/default/a'), /^k8s:enc:aesgcm:v1:key1:/)
    assert.match(await stored(directory, '/registry/secrets/default/b'), /^k8s:enc:kms:v2:vault:/)
  })
})
