import type { UserInfo } from '../../apimachinery/request/user.js'

/** The parts of a request that authenticators read. */
export interface AuthenticationRequest {
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Names and values of the headers in turn, as they were sent. */
  rawHeaders(): readonly string[]
  /** The target of the request; undefined for a TokenReview. */
  readonly url?: string | undefined
  /**
   * Returns the DER of the client's certificate and the intermediates that came with it; empty when the client sent none. Returns
   * the same array for the same connection, so that a verified chain can be remembered by it.
   */
  readonly peerCertificates?: (() => readonly Buffer[]) | undefined
}

/**
 * The user whom an authenticator recognised.
 *
 * @example
 * const found: Authenticated = { user: { name: 'alice', groups: ['developers'] }, warnings: ['this token expires today'] }
 */
export interface Authenticated {
  readonly user: UserInfo
  /** The audiences that the token and the server share; undefined for credentials without audiences. */
  readonly audiences?: readonly string[] | undefined
  /** Texts for Warning headers. */
  readonly warnings?: readonly string[] | undefined
  /** Annotations of the request's audit event. */
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/** Why credentials do not authenticate anybody. The problems contain no secret, because a TokenReview shows them. */
export interface Unauthenticated {
  readonly problems: readonly string[]
  /** Annotations of the request's audit event. */
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

export type AuthenticationResult = Authenticated | Unauthenticated

/**
 * Refuses a token that is of an authenticator's own kind but not valid. The message stands in the answer to a TokenReview.
 *
 * @example
 * throw new TokenError('the session has ended')
 */
export class TokenError extends Error {
  /** Annotations of the request's audit event. */
  readonly annotations: Readonly<Record<string, string>> | undefined

  constructor(message: string, annotations?: Readonly<Record<string, string>>) {
    super(message)
    this.annotations = annotations
  }
}

/**
 * Recognises bearer tokens. Returns undefined for a token that is not of its kind: then the next authenticator is asked. Throws
 * or rejects with a TokenError for a token of its kind that is not valid (any more).
 *
 * @example
 * const sessions: TokenAuthenticator = {
 *   async authenticateToken(token) {
 *     if (!token.startsWith('session-')) return undefined
 *     const session = await database.session(token)
 *     if (!session) throw new TokenError('the session has ended')
 *     return { user: { name: session.user, groups: session.groups } }
 *   }
 * }
 * const server = createServer({ authenticators: [sessions] })
 */
export interface TokenAuthenticator {
  /** `audiences` are those that a TokenReview asks for; undefined stands for the server's own. */
  authenticateToken(token: string, audiences?: readonly string[]): Authenticated | undefined | Promise<Authenticated | undefined>
}
