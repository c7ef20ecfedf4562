import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { silentLogger } from '../../../util/logger.js'
import { systemRandomness } from '../../../util/randomness.js'
import { nextTurn } from '../../../util/turns.js'
import { EncryptionMetrics } from '../metrics.js'
import { type KmsPlugin, startKmsPlugin } from '../testing/kms-plugin.js'
import { TransformError } from '../transformer.js'
import { KmsClient } from './client.js'
import { decodeObject } from './messages.js'
import { KmsProvider } from './provider.js'

const place = { key: '/registry/secrets/default/a', resource: 'secrets' }
const text = Buffer.from('a secret text')
const minute = 60_000

let directory: string
let plugin: KmsPlugin
let clock: FakeClock
let metrics: Metrics
let readable: number
let providers: KmsProvider[]

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-kms-'))
  plugin = await startKmsPlugin(join(directory, 'kms.sock'))
  clock = new FakeClock()
  metrics = new Metrics()
  readable = 0
  providers = []
})
afterEach(async () => {
  for (const provider of providers) provider.stop()
  await plugin.down()
  rmSync(directory, { recursive: true })
})

async function start(timeoutMs = 10_000): Promise<KmsProvider> {
  const counts = new EncryptionMetrics(metrics.names().length > 4 ? new Metrics() : metrics, clock, 'server')
  const service = new KmsClient({
    socket: join(directory, 'kms.sock'),
    timeoutMs,
    called: (method, code, seconds) => counts.called('vault', method, code, seconds)
  })
  const provider = new KmsProvider({
    name: 'vault',
    service,
    clock,
    random: systemRandomness,
    counts,
    log: silentLogger,
    readable: () => void readable++
  })
  providers.push(provider)
  await provider.start()
  return provider
}

/** Advances the clock, and lets the check that falls due end. */
async function advance(provider: KmsProvider, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await provider.check().catch(() => {})
  for (let i = 0; i < 20; i++) await nextTurn()
}

const refused = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof TransformError)
    return error.message
  }
  return 'nothing thrown'
}

describe('a KMS provider', () => {
  it('calls the plugin once for all values of a seed', async () => {
    const provider = await start()
    const data = Array.from({ length: 10 }, () => provider.encrypt(text, place))
    for (const one of data) assert.deepEqual(provider.decrypt(one, place), { value: text, stale: false })
    assert.deepEqual(plugin.calls, ['Status', 'Encrypt'])
    assert.ok(!data[0]!.includes('secret'))
    const moved = { ...place, key: '/registry/secrets/default/b' }
    assert.equal(
      refused(() => provider.decrypt(data[0]!, moved)),
      'cipher: message authentication failed'
    )
  })

  it('asks the plugin for the seeds of other servers, each once', async () => {
    const data = Array.from(
      { length: 5 },
      (
        (other: KmsProvider) => () =>
          other.encrypt(text, place)
      )(await start())
    )
    const provider = await start()
    plugin.calls.length = 0
    await Promise.all(data.map(one => provider.prepare(one)))
    for (const one of data) assert.deepEqual(provider.decrypt(one, place).value, text)
    assert.equal(provider.prepare(data[0]!), undefined)
    assert.deepEqual(plugin.calls, ['Decrypt'])
  })

  it('makes a new seed when the key id changes; former values are stale', async () => {
    const provider = await start()
    const before = provider.encrypt(text, place)
    plugin.rotate('key-2')
    await advance(provider, minute)
    const after = provider.encrypt(text, place)
    assert.deepEqual(
      [before, after].map(one => decodeObject(one).keyId),
      ['key-1', 'key-2']
    )
    assert.deepEqual(provider.decrypt(before, place), { value: text, stale: true })
    assert.deepEqual(provider.decrypt(after, place), { value: text, stale: false })
  })

  it('encrypts for three minutes after the last successful check, and decrypts always', async () => {
    const provider = await start()
    const data = provider.encrypt(text, place)
    plugin.setHealth('sick')
    for (let at = 0; at < 180_000; at += 10_000) {
      provider.encrypt(text, place)
      await advance(provider, 10_000)
    }
    await assert.rejects(provider.check(), {
      message: 'kmsv2 Provider vault is not healthy, error: got unexpected healthz status: sick'
    })
    // the key id is still valid, so that the seed goes on serving
    provider.encrypt(text, place)
    await plugin.down()
    provider.stop()
    clock.advance(181_000)
    assert.match(
      refused(() => provider.encrypt(text, place)),
      /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 2026-01-01T00:0\d:\d\dZ \(current time is 2026-/
    )
    assert.deepEqual(provider.decrypt(data, place).value, text)
  })

  it('refuses all values until the plugin has come', async () => {
    await plugin.down()
    const provider = await start(50)
    assert.equal(
      refused(() => provider.encrypt(text, place)),
      'got unexpected nil transformer'
    )
    await assert.rejects(provider.check(), { message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded' })
    clock.advance(4000)
    await assert.rejects(provider.check(), {
      message:
        'failed to perform status section of the healthz check for KMS Provider vault, error: rpc error: code = DeadlineExceeded desc = context deadline exceeded'
    })
    assert.equal(readable, 0)
    await plugin.up()
    for (let i = 0; i < 100 && readable === 0; i++) await advance(provider, 10_000)
    assert.equal(readable, 1)
    assert.deepEqual(provider.decrypt(provider.encrypt(text, place), place).value, text)
  })

  it('asks for a seed again when the plugin can decrypt again, and tells of it', async () => {
    const data = (await start()).encrypt(text, place)
    const provider = await start()
    readable = 0
    plugin.setDecrypts(false)
    await provider.prepare(data)
    const why = 'failed to decrypt DEK, error: rpc error: code = FailedPrecondition desc = no such key'
    assert.equal(
      refused(() => provider.decrypt(data, place)),
      why
    )
    plugin.calls.length = 0
    assert.equal(provider.prepare(data), undefined, 'asks again at once')
    await advance(provider, minute)
    assert.equal(readable, 0)
    assert.equal(
      refused(() => provider.decrypt(data, place)),
      why
    )
    plugin.setDecrypts(true)
    await advance(provider, minute)
    for (let i = 0; i < 1000 && readable === 0; i++) await nextTurn()
    assert.equal(readable, 1)
    assert.deepEqual(provider.decrypt(data, place).value, text)
  })

  it('refuses what is no encrypted object', async () => {
    const provider = await start()
    const data = provider.encrypt(text, place)
    for (let length = 0; length < data.length; length++)
      assert.notEqual(
        refused(() => provider.decrypt(data.subarray(0, length), place)),
        'nothing thrown'
      )
    assert.equal(
      refused(() => provider.decrypt(Buffer.alloc(0), place)),
      'encrypted data is empty'
    )
    assert.equal(provider.prepare(Buffer.from([255])), undefined)
  })

  it('counts calls, key ids and seeds', async () => {
    const provider = await start()
    provider.encrypt(text, place)
    const shown = await metrics.text()
    assert.match(
      shown,
      /kms_operations_latency_seconds_count\{grpc_status_code="OK",method_name="\/v2.KeyManagementService\/Status",provider_name="vault"\} 1/
    )
    assert.match(
      shown,
      /key_id_hash_total\{apiserver_id_hash="server",key_id_hash="sha256:[0-9a-f]{64}",provider_name="vault",transformation_type="to_storage"\} 1/
    )
    assert.match(shown, /dek_source_cache_size\{provider_name="vault"\} 1/)
  })
})
