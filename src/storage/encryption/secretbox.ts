/** NaCl's secretbox: XSalsa20 and Poly1305, which Node's crypto lacks. */
import type * as Salsa from '@noble/ciphers/salsa'
import { lazyPackage } from '../../util/lazy-package.js'
import { fillRandom } from './aes.js'
import { type Decrypted, TransformError, type Transformer, tooShort } from './transformer.js'

const library = lazyPackage<typeof Salsa>('@noble/ciphers/salsa')
const nonceLength = 24
const tagLength = 16

/** Encrypts as nonce, tag, ciphertext. The store's key is not authenticated. `key` has 32 bytes. */
export class Secretbox implements Transformer {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
    library()
  }

  decrypt(data: Buffer): Decrypted {
    if (data.length < nonceLength + tagLength) throw tooShort()
    try {
      const box = library().xsalsa20poly1305(this.#key, data.subarray(0, nonceLength))
      return { value: asBuffer(box.decrypt(data.subarray(nonceLength))), stale: false }
    } catch {
      // kube-apiserver's words for a wrong key or changed data
      throw new TransformError('output array was not large enough for encryption')
    }
  }

  encrypt(value: Buffer): Buffer {
    const nonce = Buffer.allocUnsafe(nonceLength)
    fillRandom(nonce)
    return Buffer.concat([nonce, library().xsalsa20poly1305(this.#key, nonce).encrypt(value)])
  }
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)
