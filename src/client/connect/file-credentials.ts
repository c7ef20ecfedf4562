/** Credentials in files that others rotate: the token of a ServiceAccount in a Pod, a client certificate. */

import type { RereadFile } from '../../util/reread-file.js'
import { bearer, type ClientCertificate, type Credentials } from './credentials.js'

/** A token that is read again each minute, and after a 401. */
export function tokenFileCredentials(file: RereadFile, certificate: () => Promise<ClientCertificate | undefined>): Credentials {
  return {
    authorization: async () => bearer((await file.read()).trim()),
    certificate,
    renew: () => file.reread()
  }
}

/** A client certificate and its key, which are read again each minute. */
export function certificateFiles(cert: RereadFile, key: RereadFile): () => Promise<ClientCertificate | undefined> {
  let last: ClientCertificate | undefined
  return async () => {
    const [certText, keyText] = await Promise.all([cert.read(), key.read()])
    if (last?.cert !== certText || last.key !== keyText) last = { cert: certText, key: keyText }
    return last
  }
}
