import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { unwrap } from '../../apimachinery/formats/protobuf/envelope.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { silentLogger } from '../../util/logger.js'
import { systemRandomness } from '../../util/randomness.js'
import type { ProviderConfiguration } from './configuration.js'
import { EncryptionMetrics } from './metrics.js'
import { makeProviders } from './providers.js'
import { startKmsPlugin } from './testing/kms-plugin.js'
import { vectors } from './testing/vectors.js'
import { TransformError, type Transformer } from './transformer.js'

const metrics = new Metrics()
const clock = new FakeClock()
const counts = new EncryptionMetrics(metrics, clock, 'server')
const parts = { counts, clock, random: systemRandomness, log: silentLogger, readable() {} }

/** The key of a name in the recorded values. */
const secretOf = (name: string) => createHash('sha256').update(name).digest('base64')
const keys = (...names: string[]) => ({ keys: names.map(name => ({ name, secret: secretOf(name) })) })
const place = { key: '/registry/secrets/default/a', resource: 'secrets' }
const text = Buffer.from('{"kind":"Secret"}')

async function make(...providers: ProviderConfiguration[]): Promise<Transformer> {
  const { byResource } = await makeProviders([{ resources: ['secrets'], providers }], parts)
  return byResource.get('secrets.')!
}

const whyNot = (transformer: Transformer, data: Buffer, where = place): string => {
  try {
    transformer.decrypt(data, where)
  } catch (error) {
    assert.ok(error instanceof TransformError)
    return error.message
  }
  return 'decrypted'
}

const local = ['aescbc', 'aesgcm', 'secretbox'] as const

describe('values of kube-apiserver', () => {
  for (const name of local)
    it(`are read: ${name}`, async () => {
      const { key, value } = vectors.find(({ provider }) => provider === name)!
      const transformer = await make({ [name]: keys('key2') })
      const decrypted = transformer.decrypt(Buffer.from(value, 'base64'), { key, resource: 'secrets' })
      assert.equal(decrypted.stale, false)
      assert.equal((unwrap(decrypted.value) as any).kind, 'Secret')
      assert.ok(decrypted.value.includes('plain text of kube-apiserver-after'))
    })

  it('are read: kms', async t => {
    const { key, value } = vectors.find(({ provider }) => provider === 'kms')!
    const data = Buffer.from(value, 'base64')
    const keyId = /key-[0-9a-f]{8}/.exec(data.toString('latin1'))![0]
    const plugin = await startKmsPlugin(join(tmpdir(), `binnacle-vector-${process.pid}.sock`), keyId)
    t.after(() => plugin.down())
    const kms = { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint, timeout: 3000, cachesize: undefined }
    const { byResource, kms: made } = await makeProviders([{ resources: ['secrets'], providers: [{ kms }] }], parts)
    t.after(() => made[0]!.stop())
    const transformer = byResource.get('secrets.')!
    await transformer.prepare!(data)
    const decrypted = transformer.decrypt(data, { key, resource: 'secrets' })
    assert.ok(decrypted.value.includes('plain text of kube-apiserver-after'))
    assert.equal(decrypted.stale, false)
    assert.equal(transformer.prepare!(data), undefined)
    assert.match(whyNot(transformer, data, { ...place, key: `${key}2` }), /cipher: message authentication failed/)
  })
})

describe('a provider', () => {
  for (const name of local)
    it(`decrypts what it has encrypted, and nothing else: ${name}`, async () => {
      const transformer = await make({ [name]: keys('key1') })
      const data = transformer.encrypt(text, place)
      assert.ok(data.toString('latin1').startsWith(`k8s:enc:${name}:v1:key1:`))
      assert.ok(!data.includes('Secret'))
      assert.notDeepEqual(transformer.encrypt(text, place), data)
      assert.deepEqual(transformer.decrypt(data, place), { value: text, stale: false })
      for (const length of [0, 1, 15, 16, 17, 100, 4096]) {
        const value = Buffer.alloc(length, 'x')
        assert.deepEqual(transformer.decrypt(transformer.encrypt(value, place), place).value, value)
      }
      const other = await make({ [name]: { keys: [{ name: 'key1', secret: secretOf('another') }] } })
      assert.notEqual(whyNot(other, data), 'decrypted')
      const prefix = `k8s:enc:${name}:v1:key1:`.length
      for (let end = 0; end < data.length; end += 7) assert.notEqual(whyNot(transformer, data.subarray(0, end)), 'decrypted')
      assert.equal(whyNot(transformer, data.subarray(0, prefix)), 'the stored data was shorter than the required size')
    })

  it('authenticates the key of the store with AES-GCM, and every byte', async () => {
    const transformer = await make({ aesgcm: keys('key1') })
    const data = transformer.encrypt(text, place)
    const moved = { ...place, key: '/registry/secrets/default/b' }
    assert.equal(whyNot(transformer, data, moved), 'cipher: message authentication failed')
    for (let i = 'k8s:enc:aesgcm:v1:key1:'.length; i < data.length; i++) {
      const changed = Buffer.from(data)
      changed[i]! ^= 1
      assert.equal(whyNot(transformer, changed), 'cipher: message authentication failed')
    }
  })

  it('has keys of 128, 192 and 256 bits', async () => {
    for (const length of [16, 24, 32])
      for (const name of ['aesgcm', 'aescbc'] as const) {
        const transformer = await make({ [name]: { keys: [{ name: 'k', secret: Buffer.alloc(length, 1).toString('base64') }] } })
        assert.deepEqual(transformer.decrypt(transformer.encrypt(text, place), place).value, text)
      }
  })
})

describe('several providers', () => {
  it('write with the first and read with all; what the first has not written is stale', async () => {
    const old = await make({ aescbc: keys('key1') })
    const renewed = await make({ aescbc: keys('key2', 'key1') })
    const data = old.encrypt(text, place)
    assert.deepEqual(renewed.decrypt(data, place), { value: text, stale: true })
    assert.deepEqual(renewed.decrypt(renewed.encrypt(text, place), place), { value: text, stale: false })
    assert.equal(whyNot(old, renewed.encrypt(text, place)), 'no matching key was found for the provided AES transformer')
  })

  it('may have keys of one name: all of them are tried', async () => {
    const first = { aesgcm: { keys: [{ name: 'k', secret: secretOf('first') }] } }
    const second = { aesgcm: { keys: [{ name: 'k', secret: secretOf('second') }] } }
    const data = (await make(second)).encrypt(text, place)
    assert.deepEqual((await make(first, second)).decrypt(data, place), { value: text, stale: true })
    const third = { aesgcm: { keys: [{ name: 'k', secret: secretOf('third') }] } }
    assert.equal(whyNot(await make(first, third), data), 'cipher: message authentication failed')
  })

  it('lead to encryption and away from it', async () => {
    const toEncrypted = await make({ secretbox: keys('key1') }, { identity: {} })
    assert.deepEqual(toEncrypted.decrypt(text, place), { value: text, stale: true })
    const away = await make({ identity: {} }, { secretbox: keys('key1') })
    assert.deepEqual(away.encrypt(text, place), text)
    assert.deepEqual(away.decrypt(text, place), { value: text, stale: false })
    assert.deepEqual(away.decrypt(toEncrypted.encrypt(text, place), place), { value: text, stale: true })
    assert.equal(whyNot(await make({ identity: {} }), toEncrypted.encrypt(text, place)), 'no matching prefix found')
    assert.equal(whyNot(await make({ aesgcm: keys('key1') }), text), 'no matching prefix found')
  })

  it('are counted by prefix and outcome', async () => {
    const shown = await metrics.text()
    assert.match(
      shown,
      /apiserver_storage_transformation_operations_total\{resource="secrets",status="OK",transformation_type="to_storage",transformer_prefix="k8s:enc:aesgcm:v1:"\} \d/
    )
    assert.match(shown, /status="unknown-non-grpc",transformation_type="from_storage",transformer_prefix="unknown"\} \d/)
    assert.match(
      shown,
      /transformation_duration_seconds_count\{transformation_type="from_storage",transformer_prefix="key1:"\} \d/
    )
  })

  it('of KMS v1 are refused', async () => {
    const kms = { apiVersion: 'v1', name: 'k', endpoint: 'unix:///x', timeout: 1, cachesize: 1 }
    await assert.rejects(make({ kms }), error => error instanceof ConfigError && error.message.startsWith('KMSv1 is deprecated'))
  })
})
