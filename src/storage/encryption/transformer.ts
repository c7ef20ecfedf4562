/** Transformers make ciphertext of values and values of ciphertext, as kube-apiserver's storage does. */
import { aggregateText } from '../../util/go-format.js'
import type { TransformationCounts } from './metrics.js'

/** Where a value lies. */
export interface Place {
  /** The store's key. It is authenticated with the value, so that no one can move the value to another key unnoticed. */
  readonly key: string
  /** `secrets`, `deployments.apps`: a label of metrics. */
  readonly resource: string
}

export interface Decrypted {
  readonly value: Buffer
  /** The value would be encrypted differently now. */
  readonly stale: boolean
}

export interface Transformer {
  /** Throws a TransformError for a value that it cannot decrypt. */
  decrypt(data: Buffer, place: Place): Decrypted
  /** Throws a TransformError when it has no key to encrypt with. */
  encrypt(value: Buffer, place: Place): Buffer
  /**
   * Fetches what `decrypt` needs for a value and does not have. Returns undefined when `decrypt` can be called at once. The
   * promise never rejects: what cannot be fetched makes `decrypt` fail. Missing for a transformer that has all its keys.
   */
  prepare?(data: Buffer): Promise<void> | undefined
}

/** The first bytes of every encrypted value, whichever provider encrypted it. */
const encrypted = Buffer.from('k8s:enc:')

export const isEncrypted = (data: Buffer): boolean => startsWith(data, encrypted)

/** A value cannot be encrypted or decrypted. The message is kube-apiserver's, and holds no part of a key or value. */
export class TransformError extends Error {
  /** The status of the call that failed, by its name in Go; undefined when no call was made. */
  readonly grpcCode: string | undefined

  constructor(message: string, grpcCode?: string) {
    super(message)
    this.grpcCode = grpcCode
  }
}

export interface PrefixTransformer {
  readonly prefix: string
  readonly transformer: Transformer
}

/**
 * Chooses the transformer by the first bytes of the ciphertext. The first transformer encrypts, all of them decrypt. Several may have one
 * prefix: while a key is being replaced by another of the same name, for instance.
 */
export class PrefixTransformers implements Transformer {
  readonly #entries: readonly { readonly name: string; readonly prefix: Buffer; readonly transformer: Transformer }[]
  readonly #noMatch: string
  readonly #counts: TransformationCounts
  readonly prepare?: (data: Buffer) => Promise<void> | undefined

  /** `noMatch` is the error for a value that no prefix fits. */
  constructor(entries: readonly PrefixTransformer[], noMatch: string, counts: TransformationCounts) {
    this.#entries = entries.map(({ prefix, transformer }) => ({ name: prefix, prefix: Buffer.from(prefix), transformer }))
    this.#noMatch = noMatch
    this.#counts = counts
    if (entries.some(({ transformer }) => transformer.prepare)) this.prepare = data => this.#prepare(data)
  }

  #prepare(data: Buffer): Promise<void> | undefined {
    const pending = this.#entries.flatMap(({ prefix, transformer }) => {
      const promise = startsWith(data, prefix) ? transformer.prepare?.(data.subarray(prefix.length)) : undefined
      return promise ? [promise] : []
    })
    return pending.length > 0 ? Promise.all(pending).then(() => undefined) : undefined
  }

  decrypt(data: Buffer, place: Place): Decrypted {
    const began = performance.now()
    const errors: TransformError[] = []
    for (const [i, { name, prefix, transformer }] of this.#entries.entries()) {
      if (!startsWith(data, prefix)) continue
      try {
        const { value, stale } = transformer.decrypt(data.subarray(prefix.length), place)
        this.#counts.decrypted(place.resource, name || 'identity', began)
        return { value, stale: stale || i !== 0 }
      } catch (error) {
        if (!(error instanceof TransformError)) throw error
        // identity fits every value, and refuses the encrypted ones, which are for the transformers after it
        if (prefix.length === 0) continue
        this.#counts.failed(place.resource, 'from_storage', name, error)
        errors.push(error)
      }
    }
    if (errors.length === 1) throw errors[0]!
    if (errors.length > 1) throw new TransformError(aggregateText(errors.map(({ message }) => message)))
    const error = new TransformError(this.#noMatch)
    this.#counts.failed(place.resource, 'from_storage', 'unknown', error)
    throw error
  }

  encrypt(value: Buffer, place: Place): Buffer {
    const began = performance.now()
    const { name, prefix, transformer } = this.#entries[0]!
    try {
      const data = transformer.encrypt(value, place)
      this.#counts.encrypted(place.resource, name, began)
      return prefix.length === 0 ? data : Buffer.concat([prefix, data])
    } catch (error) {
      if (error instanceof TransformError) this.#counts.failed(place.resource, 'to_storage', name, error)
      throw error
    }
  }
}

export const startsWith = (data: Buffer, prefix: Buffer): boolean =>
  data.length >= prefix.length && prefix.compare(data, 0, prefix.length) === 0

/** The error for ciphertext that is too short to hold even an empty value. */
export const tooShort = () => new TransformError('the stored data was shorter than the required size')
