/** The provider that encrypts nothing. */
import { isEncrypted, TransformError, type Transformer } from './transformer.js'

export const readEncrypted = 'identity transformer tried to read encrypted data'

export const identity: Transformer = {
  decrypt(data) {
    if (isEncrypted(data)) throw new TransformError(readEncrypted)
    return { value: data, stale: false }
  },
  encrypt: value => value
}
