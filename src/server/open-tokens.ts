/** Opens what issues and verifies service account tokens: keys of this process, or an external signer. */

import { ExternalSigner } from '../registry/tokens/external-signer/external-signer.js'
import { extendedSeconds, type TokenLifetimes } from '../registry/tokens/service-account-tokens.js'
import { LocalSigner, StaticTokenKeys, type TokenKeys, type TokenSigner } from '../registry/tokens/token-keys.js'
import type { Pki } from '../transport/certificates/pki.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import type { ServerOptions } from './options.js'

export interface TokenFoundation {
  readonly signer: TokenSigner
  readonly keys: TokenKeys
  readonly lifetimes: TokenLifetimes
  /** The signer's connection, which is closed with the server. */
  readonly part?: Part
}

/** Rejects with a UserError when the options exclude each other, or when there is no signer at the endpoint. */
export async function openTokens(options: ServerOptions, pki: Pki, clock: Clock, log: Logger): Promise<TokenFoundation> {
  const maxSeconds = (options.serviceAccountMaxTokenExpiration ?? 0) / 1000
  const extend = options.serviceAccountExtendTokenExpiration ?? true
  const endpoint = options.serviceAccountSigningEndpoint
  if (!endpoint) {
    const { signingKey, publicKeys } = pki.serviceAccount
    const lifetimes = { maxSeconds, extendedSeconds: extend ? extendedSeconds : 0 }
    return { signer: new LocalSigner(signingKey), keys: new StaticTokenKeys(publicKeys), lifetimes }
  }
  if (options.serviceAccountSigningKeyFile || options.serviceAccountKeyFiles?.length)
    throw new UserError(
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)"
    )
  const { connectToSigner } = await import('../registry/tokens/external-signer/signer-client.js')
  const signer = new ExternalSigner({ client: connectToSigner(endpoint), clock, log })
  try {
    const external = await signer.open()
    if (maxSeconds > external)
      throw new UserError(
        `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${maxSeconds}s > ${external}s`
      )
    const lifetimes = { maxSeconds: maxSeconds || external, extendedSeconds: extend ? Math.min(extendedSeconds, external) : 0 }
    return { signer, keys: signer, lifetimes, part: signer }
  } catch (error) {
    signer.stop()
    throw error instanceof UserError ? new UserError(`--service-account-signing-endpoint ${endpoint}: ${error.message}`) : error
  }
}
