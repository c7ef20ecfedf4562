import type { UserInfo } from '../request/user.js'

/** What authenticators see of a request. */
export interface AuthenticationRequest {
  readonly headers: { readonly authorization?: string | undefined }
  /**
   * DER of the client's certificate and the intermediates that came with it; empty when the client showed none. The same
   * connection answers with the same array each time: what was found out about it is remembered under it.
   */
  readonly peerCertificates?: (() => readonly Buffer[]) | undefined
}

export interface Authenticated {
  readonly user: UserInfo
  /** The audiences of the token that the server shares; undefined when the credentials know none. */
  readonly audiences?: readonly string[] | undefined
  /** Texts of Warning headers. */
  readonly warnings?: readonly string[] | undefined
}

export type AuthenticationResult = Authenticated | 'unauthorized'

/** Why a token that is of an authenticator's own kind is not good. */
export class TokenError extends Error {}

/**
 * Recognises a bearer token; undefined means it is none of its own. Throws or rejects with a TokenError when it is one of its own
 * and not good (any more).
 */
export interface TokenAuthenticator {
  /** `audiences`: what the token is to be good for, when that is not the server itself. */
  authenticateToken(token: string, audiences?: readonly string[]): Authenticated | undefined | Promise<Authenticated | undefined>
}
