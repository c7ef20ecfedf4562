/** The provider that encrypts nothing. */
import { startsWith, TransformError, type Transformer } from './transformer.js'

/** The first bytes of every encrypted value, whichever provider encrypted it. */
const encrypted = Buffer.from('k8s:enc:')

export const isEncrypted = (data: Buffer): boolean => startsWith(data, encrypted)

export const readEncrypted = 'identity transformer tried to read encrypted data'

export const identity: Transformer = {
  decrypt(data) {
    if (isEncrypted(data)) throw new TransformError(readEncrypted)
    return { value: data, stale: false }
  },
  encrypt: value => value
}
