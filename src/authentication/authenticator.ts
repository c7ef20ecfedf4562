import type { UserInfo } from '../request/user.js'

/** The parts of a request that authenticators read. */
export interface AuthenticationRequest {
  readonly headers: { readonly authorization?: string | undefined }
  /**
   * Returns the DER of the client's certificate and the intermediates that came with it; empty when the client sent none. Returns
   * the same array for the same connection, so that a verified chain can be remembered by it.
   */
  readonly peerCertificates?: (() => readonly Buffer[]) | undefined
}

export interface Authenticated {
  readonly user: UserInfo
  /** The audiences that both the token and the server have; undefined for credentials without audiences. */
  readonly audiences?: readonly string[] | undefined
  /** Texts of Warning headers. */
  readonly warnings?: readonly string[] | undefined
}

export type AuthenticationResult = Authenticated | 'unauthorized'

/** The reason why an authenticator refuses a token of its own kind. */
export class TokenError extends Error {}

/**
 * Authenticates bearer tokens of one kind. Returns undefined for tokens of other kinds; throws or rejects with a TokenError for
 * an invalid or expired token of its own kind.
 */
export interface TokenAuthenticator {
  /** `audiences` are those that the token must be for, if not the server's own. */
  authenticateToken(token: string, audiences?: readonly string[]): Authenticated | undefined | Promise<Authenticated | undefined>
}
