import type { UserInfo } from './user.js'

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

/** Recognises a bearer token; undefined means it is none of its own, or no longer good. */
export interface TokenAuthenticator {
  authenticateToken(token: string): Authenticated | undefined | Promise<Authenticated | undefined>
}
