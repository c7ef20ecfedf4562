/** Metrics of encryption at rest, under kube-apiserver's names. */

import type { Clock } from '../../util/clock.js'
import { exponentialBuckets, type Metrics } from '../../util/instruments/metrics.js'
import type { TransformError } from './transformer.js'

export type Direction = 'from_storage' | 'to_storage'

/** Counts the values that are encrypted or decrypted. */
export interface TransformationCounts {
  /** `began` is a time of performance.now(), in milliseconds. */
  decrypted(resource: string, prefix: string, began: number): void
  encrypted(resource: string, prefix: string, began: number): void
  failed(resource: string, direction: Direction, prefix: string, error: TransformError): void
}

/** Counts what a KMS provider does. `provider` is its name in the configuration. */
export interface KmsCounts {
  cacheMissed(): void
  /** A seed was made, which took so many seconds. */
  seedMade(seconds: number): void
  called(provider: string, method: string, code: string, seconds: number): void
  usedKey(direction: Direction, provider: string, keyIdHash: string): void
  statusKey(provider: string, keyIdHash: string): void
  invalidStatusKey(provider: string, code: string): void
  cachedSeeds(provider: string, count: number): void
}

/** How many key ids have series of their own, as in kube-apiserver. The least recently used are forgotten. */
const maxKeyIds = 100

export class EncryptionMetrics implements TransformationCounts, KmsCounts {
  readonly #clock: Clock
  readonly #server: string
  readonly #seconds
  readonly #operations
  readonly #misses
  readonly #seedSeconds
  readonly #calls
  readonly #keyIds
  readonly #keyIdTimes
  readonly #statusTimes
  readonly #invalid
  readonly #cached
  readonly #usedKeys = new Recent(key => {
    this.#keyIds.remove(...key)
    this.#keyIdTimes.remove(...key)
  })
  readonly #statusKeys = new Recent(key => this.#statusTimes.remove(...key))

  /** `server` is a hash of the server's identity. */
  constructor(metrics: Metrics, clock: Clock, server: string) {
    this.#clock = clock
    this.#server = server
    const stage = 'ALPHA'
    this.#seconds = metrics.histogram({
      name: 'apiserver_storage_transformation_duration_seconds',
      help: 'How long encrypting or decrypting values took.',
      stage,
      labels: ['transformation_type', 'transformer_prefix'],
      buckets: exponentialBuckets(5e-6, 2, 25)
    })
    this.#operations = metrics.counter({
      name: 'apiserver_storage_transformation_operations_total',
      help: 'Values that were encrypted or decrypted, by what came of it.',
      stage,
      labels: ['resource', 'transformation_type', 'transformer_prefix', 'status']
    })
    this.#misses = metrics
      .counter({
        name: 'apiserver_storage_envelope_transformation_cache_misses_total',
        help: 'Data encryption keys that a KMS plugin had to decrypt.',
        stage
      })
      .of()
    this.#seedSeconds = metrics
      .histogram({
        name: 'apiserver_storage_data_key_generation_duration_seconds',
        help: 'How long making data encryption keys took.',
        stage,
        buckets: exponentialBuckets(5e-6, 2, 14)
      })
      .of()
    metrics.counter({
      name: 'apiserver_storage_data_key_generation_failures_total',
      help: 'Data encryption keys that could not be made.',
      stage
    })
    metrics.gauge({
      name: 'apiserver_envelope_encryption_dek_cache_fill_percent',
      help: 'How full the cache of data encryption keys of KMS v1 is.',
      stage
    })
    const key = ['provider_name', 'key_id_hash', 'apiserver_id_hash']
    const prefix = 'apiserver_envelope_encryption'
    this.#calls = metrics.histogram({
      name: `${prefix}_kms_operations_latency_seconds`,
      help: 'How long calls to KMS plugins took.',
      stage,
      labels: ['provider_name', 'method_name', 'grpc_status_code'],
      buckets: exponentialBuckets(0.0001, 2, 20)
    })
    this.#keyIds = metrics.counter({
      name: `${prefix}_key_id_hash_total`,
      help: 'Values that were encrypted or decrypted with a key id.',
      stage,
      labels: ['transformation_type', ...key]
    })
    this.#keyIdTimes = metrics.gauge({
      name: `${prefix}_key_id_hash_last_timestamp_seconds`,
      help: 'When a key id was used last.',
      stage,
      labels: ['transformation_type', ...key]
    })
    this.#statusTimes = metrics.gauge({
      name: `${prefix}_key_id_hash_status_last_timestamp_seconds`,
      help: 'When a KMS plugin named a key id last as its present one.',
      stage,
      labels: key
    })
    this.#invalid = metrics.counter({
      name: `${prefix}_invalid_key_id_from_status_total`,
      help: 'Invalid key ids that KMS plugins named.',
      stage,
      labels: ['provider_name', 'error']
    })
    this.#cached = metrics.gauge({
      name: `${prefix}_dek_source_cache_size`,
      help: 'Decrypted data encryption keys that are kept: about as many calls to the KMS plugin follow a restart.',
      stage,
      labels: ['provider_name']
    })
  }

  decrypted(resource: string, prefix: string, began: number): void {
    this.#operations.of(resource, 'from_storage', prefix, 'OK').add()
    this.#seconds.of('from_storage', prefix).observe((performance.now() - began) / 1000)
  }

  encrypted(resource: string, prefix: string, began: number): void {
    this.#operations.of(resource, 'to_storage', prefix, 'OK').add()
    this.#seconds.of('to_storage', prefix).observe((performance.now() - began) / 1000)
  }

  failed(resource: string, direction: Direction, prefix: string, { grpcCode = 'unknown-non-grpc' }: TransformError): void {
    this.#operations.of(resource, direction, prefix, grpcCode).add()
  }

  cacheMissed(): void {
    this.#misses.add()
  }

  seedMade(seconds: number): void {
    this.#seedSeconds.observe(seconds)
  }

  called(provider: string, method: string, code: string, seconds: number): void {
    this.#calls.of(provider, method, code).observe(seconds)
  }

  usedKey(direction: Direction, provider: string, keyIdHash: string): void {
    const labels = [direction, provider, keyIdHash, this.#server]
    this.#usedKeys.use(labels)
    this.#keyIds.of(...labels).add()
    this.#keyIdTimes.of(...labels).set(this.#clock.now() / 1000)
  }

  statusKey(provider: string, keyIdHash: string): void {
    const labels = [provider, keyIdHash, this.#server]
    this.#statusKeys.use(labels)
    this.#statusTimes.of(...labels).set(this.#clock.now() / 1000)
  }

  invalidStatusKey(provider: string, code: string): void {
    this.#invalid.of(provider, code).add()
  }

  cachedSeeds(provider: string, count: number): void {
    this.#cached.of(provider).set(count)
  }
}

/** Remembers which label values were used last, and reports those that it forgets. */
class Recent {
  readonly #used = new Map<string, readonly string[]>()
  readonly #forgotten: (labels: readonly string[]) => void

  constructor(forgotten: (labels: readonly string[]) => void) {
    this.#forgotten = forgotten
  }

  use(labels: readonly string[]): void {
    const key = labels.join('\0')
    this.#used.delete(key)
    this.#used.set(key, labels)
    if (this.#used.size <= maxKeyIds) return
    const [oldest, forgotten] = this.#used.entries().next().value!
    this.#used.delete(oldest)
    this.#forgotten(forgotten)
  }
}
