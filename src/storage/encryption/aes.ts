/** The ciphers AES-GCM and AES-CBC. */
import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import { type Decrypted, type Place, TransformError, type Transformer, tooShort } from './transformer.js'

const nonceLength = 12
const tagLength = 16

/** Random numbers are taken from the system in larger pieces, because each call costs more than encrypting a small value. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** Fills `target` with random bytes; at most 4096. */
export function fillRandom(target: Buffer): void {
  if (used + target.length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  pool.copy(target, 0, used, used + target.length)
  pool.fill(0, used, (used += target.length))
}

const bits = (key: Buffer) => key.length * 8

/** Encrypts as nonce, ciphertext, tag. The store's key is authenticated with the value. `key` has 16, 24 or 32 bytes. */
export class AesGcm implements Transformer {
  readonly #key: Buffer
  readonly #cipher: 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm'

  constructor(key: Buffer) {
    this.#key = key
    this.#cipher = `aes-${bits(key)}-gcm` as 'aes-256-gcm'
  }

  decrypt(data: Buffer, place: Place): Decrypted {
    if (data.length < nonceLength) throw tooShort()
    if (data.length < nonceLength + tagLength) throw notAuthentic()
    const decipher = createDecipheriv(this.#cipher, this.#key, data.subarray(0, nonceLength), { authTagLength: tagLength })
    decipher.setAAD(Buffer.from(place.key))
    decipher.setAuthTag(data.subarray(data.length - tagLength))
    const value = decipher.update(data.subarray(nonceLength, data.length - tagLength))
    try {
      decipher.final()
    } catch {
      throw notAuthentic()
    }
    return { value, stale: false }
  }

  encrypt(value: Buffer, place: Place): Buffer {
    const out = Buffer.allocUnsafeSlow(nonceLength + value.length + tagLength)
    const nonce = out.subarray(0, nonceLength)
    fillRandom(nonce)
    const cipher = createCipheriv(this.#cipher, this.#key, nonce, { authTagLength: tagLength })
    cipher.setAAD(Buffer.from(place.key))
    cipher.update(value).copy(out, nonceLength)
    cipher.final()
    cipher.getAuthTag().copy(out, out.length - tagLength)
    return out
  }
}

const notAuthentic = () => new TransformError('cipher: message authentication failed')

const blockSize = 16

/** Encrypts as initialization vector, ciphertext, with the padding of PKCS #7. Nothing is authenticated. */
export class AesCbc implements Transformer {
  readonly #key: Buffer
  readonly #cipher: string

  constructor(key: Buffer) {
    this.#key = key
    this.#cipher = `aes-${bits(key)}-cbc`
  }

  decrypt(data: Buffer): Decrypted {
    if (data.length < blockSize) throw tooShort()
    if (data.length % blockSize !== 0) throw new TransformError('the stored data is not a multiple of the block size')
    const decipher = createDecipheriv(this.#cipher, this.#key, data.subarray(0, blockSize))
    decipher.setAutoPadding(false)
    const padded = decipher.update(data.subarray(blockSize))
    const padding = padded.at(-1) ?? 0
    if (padding === 0 || padding > padded.length) throw new TransformError('invalid PKCS7 data (empty or not padded)')
    const value = padded.subarray(0, padded.length - padding)
    if (padded.subarray(value.length).some(byte => byte !== padding)) throw new TransformError('invalid padding on input')
    return { value, stale: false }
  }

  encrypt(value: Buffer): Buffer {
    const vector = Buffer.allocUnsafe(blockSize)
    fillRandom(vector)
    const cipher = createCipheriv(this.#cipher, this.#key, vector)
    return Buffer.concat([vector, cipher.update(value), cipher.final()])
  }
}
