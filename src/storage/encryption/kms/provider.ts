/**
 * The provider `kms` of version v2: keys that encrypt values are derived from a seed. The seed lies beside each value, encrypted by the
 * plugin (https://kubernetes.io/docs/tasks/administer-cluster/kms-provider/). The plugin is called only for a new seed, or for one that
 * this process has not seen yet.
 */
import { type Decrypted, type Place, TransformError, type Transformer } from '../transformer.js'
import { assertValid, hashOf, quotedHash, seedId } from './encrypted-object.js'
import { decodeObject, type EncryptedObject, encodeObject } from './messages.js'
import { goTime, KmsProbe, noTransformer, type ProbeOptions, type WriteState } from './probe.js'
import { transformerOf } from './seed.js'
import { SeedCache } from './seed-cache.js'

/** Milliseconds until the plugin is asked again for a seed that it did not decrypt, unless a check finds it healthy before. */
const failureMs = 10_000
/** For how many seeds a failure is remembered. */
const maxFailures = 1000
/** How many hashes of key ids are kept. */
const maxHashes = 100

interface Failure {
  readonly error: TransformError
  readonly at: number
  readonly object: EncryptedObject
}

export type KmsProviderOptions = Omit<ProbeOptions, 'healthy'> & {
  /** Called when values have become readable that could not be decrypted before. */
  readable(): void
}

export class KmsProvider implements Transformer {
  readonly #options: KmsProviderOptions
  readonly #probe: KmsProbe
  readonly #seeds: SeedCache
  readonly #failures = new Map<string, Failure>()
  readonly #fetching = new Map<string, Promise<void>>()
  readonly #hashes = new Map<string, string>()
  #wasUsable = false

  constructor(options: KmsProviderOptions) {
    const { name, counts } = options
    this.#options = options
    this.#seeds = new SeedCache(size => counts.cachedSeeds(name, size))
    this.#probe = new KmsProbe({ ...options, healthy: () => this.#healthy() })
  }

  /** Resolves when the plugin has been asked once, healthy or not. */
  start(): Promise<void> {
    return this.#probe.start()
  }

  /** Rejects when the plugin is not healthy. */
  check(): Promise<void> {
    return this.#probe.check()
  }

  stop(): void {
    this.#probe.stop()
    this.#options.service.close()
  }

  encrypt(value: Buffer, place: Place): Buffer {
    const { name, clock, counts } = this.#options
    const { state } = this.#probe
    if (!state) throw new TransformError(noTransformer)
    if (clock.now() > state.expires)
      throw new TransformError(
        `encryptedDEKSource with keyID hash ${quotedHash(state.keyId)} expired at ${goTime(state.expires)} (current time is ${goTime(clock.now())})`
      )
    // also where the check that has brought the seed found the plugin unhealthy otherwise
    this.#know(state)
    const data = state.transformer.encrypt(value, place)
    counts.usedKey('to_storage', name, state.keyIdHash)
    return encodeObject(data, state.tail)
  }

  decrypt(data: Buffer, place: Place): Decrypted {
    const { name, counts } = this.#options
    const object = decodeObject(data)
    assertValid(object)
    const { state } = this.#probe
    if (!state) throw new TransformError(noTransformer)
    const id = seedId(object)
    const transformer = this.#seeds.get(id)
    if (!transformer) throw this.#failures.get(id)?.error ?? failed(new TransformError('the plugin has not been asked for it'))
    counts.usedKey('from_storage', name, this.#hashOf(object.keyId))
    const { value } = transformer.decrypt(object.encryptedData, place)
    return { value, stale: object.keyId !== state.keyId || object.sourceType !== state.sourceType }
  }

  prepare(data: Buffer): Promise<void> | undefined {
    if (!this.#probe.state) return undefined
    let object: EncryptedObject
    try {
      object = decodeObject(data)
      assertValid(object)
    } catch (error) {
      if (error instanceof TransformError) return undefined
      throw error
    }
    const id = seedId(object)
    if (this.#seeds.has(id)) return undefined
    const failure = this.#failures.get(id)
    if (failure && this.#options.clock.now() - failure.at < failureMs) return undefined
    let fetching = this.#fetching.get(id)
    if (!fetching) {
      // a copy without the data, which may be large and is not needed
      const { keyId, encryptedSource, annotations, sourceType } = object
      const kept = {
        keyId,
        encryptedSource: Buffer.from(encryptedSource),
        annotations,
        sourceType,
        encryptedData: Buffer.alloc(0)
      }
      fetching = this.#fetch(id, kept).finally(() => this.#fetching.delete(id))
      this.#fetching.set(id, fetching)
    }
    return fetching
  }

  async #fetch(id: string, object: EncryptedObject): Promise<void> {
    const { service, counts, random, clock } = this.#options
    const { encryptedSource: ciphertext, keyId, annotations, sourceType } = object
    counts.cacheMissed()
    try {
      const source = await service.decrypt({ ciphertext, keyId, annotations, uid: random.uuid() }).catch(error => {
        throw error instanceof TransformError ? failed(error) : error
      })
      this.#seeds.set(id, transformerOf(source, sourceType))
      this.#failures.delete(id)
    } catch (error) {
      if (!(error instanceof TransformError)) throw error
      this.#failures.delete(id)
      this.#failures.set(id, { error, at: clock.now(), object })
      if (this.#failures.size > maxFailures) this.#failures.delete(this.#failures.keys().next().value!)
    }
  }

  #healthy(): void {
    this.#know(this.#probe.state!)
    void this.#retry()
  }

  #know({ seedId, transformer }: WriteState): void {
    if (!this.#seeds.has(seedId)) this.#seeds.set(seedId, transformer)
  }

  /** Asks again for the seeds that the plugin could not decrypt. */
  async #retry(): Promise<void> {
    let isBetter = !this.#wasUsable
    this.#wasUsable = true
    for (const [id, { object }] of [...this.#failures]) {
      await this.#fetch(id, object)
      // the others would fail as well
      if (this.#failures.has(id)) break
      isBetter = true
    }
    if (isBetter) this.#options.readable()
  }

  #hashOf(keyId: string): string {
    let hash = this.#hashes.get(keyId)
    if (hash === undefined) {
      if (this.#hashes.size >= maxHashes) this.#hashes.clear()
      this.#hashes.set(keyId, (hash = hashOf(keyId)))
    }
    return hash
  }
}

const failed = (error: TransformError) => new TransformError(`failed to decrypt DEK, error: ${error.message}`, error.grpcCode)
