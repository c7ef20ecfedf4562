/** Makes the key of each value from a seed, so that one seed serves any number of values (KEP-3299, KMSv2KDF). */
import { createHmac } from 'node:crypto'
import { AesGcm, fillRandom } from '../aes.js'
import { type Decrypted, type Place, TransformError, type Transformer, tooShort } from '../transformer.js'
import { hkdfSeed } from './messages.js'

export const seedLength = 32
const infoLength = 32

/** The first and only block of HKDF-Expand with SHA-256: 32 bytes. */
const derivedKey = (seed: Buffer, info: Buffer): Buffer => createHmac('sha256', seed).update(info).update('\x01').digest()

/** Encrypts as info, then what AES-GCM makes with the key that the seed and the random info give. */
export class SeededGcm implements Transformer {
  readonly #seed: Buffer

  /** Throws a TransformError for a seed that is too short. */
  constructor(seed: Buffer) {
    if (seed.length < seedLength) throw new TransformError(`invalid seed length ${seed.length} used for key generation`)
    this.#seed = seed
  }

  decrypt(data: Buffer, place: Place): Decrypted {
    if (data.length < infoLength) throw tooShort()
    const key = derivedKey(this.#seed, data.subarray(0, infoLength))
    return new AesGcm(key).decrypt(data.subarray(infoLength), place)
  }

  encrypt(value: Buffer, place: Place): Buffer {
    const info = Buffer.allocUnsafe(infoLength)
    fillRandom(info)
    return Buffer.concat([info, new AesGcm(derivedKey(this.#seed, info)).encrypt(value, place)])
  }
}

/** Makes the transformer of a decrypted key source. Throws a TransformError. */
export function transformerOf(source: Buffer, sourceType: number): Pick<Transformer, 'decrypt'> {
  if (sourceType === hkdfSeed) return new SeededGcm(source)
  if (![16, 24, 32].includes(source.length)) throw new TransformError(`crypto/aes: invalid key size ${source.length}`)
  return new AesGcm(source)
}
