import { credentialHeaders, type IsCredential } from '../../apimachinery/request/credential-headers.js'
import { decodePath } from '../../apimachinery/request/request-info.js'
import { ANONYMOUS, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP } from '../../apimachinery/request/user.js'
import type { Clock } from '../../util/clock.js'
import { anonymous } from './anonymous.js'
import {
  type Authenticated,
  type AuthenticationRequest,
  type AuthenticationResult,
  type TokenAuthenticator,
  TokenError
} from './authenticator.js'
import { parseBearerToken } from './bearer-token.js'
import { type RequestHeaderOptions, requestHeaderAuthenticator } from './request-header.js'
import { x509Authenticator } from './x509.js'

export interface AuthenticationOptions {
  /** The authenticating proxy, if there is one. */
  readonly requestHeader?: RequestHeaderOptions | undefined
  /** PEM of the authorities whose client certificates are trusted. */
  readonly clientCAs: readonly string[]
  /** The authenticators of bearer tokens, asked in this order. */
  readonly tokens: readonly TokenAuthenticator[]
  readonly anonymous: boolean
  /** The paths on which anonymous requests are allowed; undefined for all paths. */
  readonly anonymousPaths?: ReadonlySet<string> | undefined
  readonly clock: Clock
  /** Called with the seconds for which the certificate of a request will still be valid. */
  readonly certificateUsed?: ((remaining: number) => void) | undefined
  /** Whether a client certificate may name the UID of its user. Default: true. */
  readonly certificateUids?: boolean | undefined
}

export interface Authenticator {
  /** Returns the user of a bearer token, which is read like that of an Authorization header, or the problems with the token. */
  reviewToken(token: string, audiences: readonly string[]): Promise<AuthenticationResult>
  /** Which headers say who the client is. */
  readonly isCredential: IsCredential
  /**
   * Answers without a promise for certificates, and for tokens that only have to be looked up. `isForeignPage`: a page of another origin asks,
   * to which the browser has lent its user's certificate.
   */
  authenticate(request: AuthenticationRequest, isForeignPage?: boolean): AuthenticationResult | Promise<AuthenticationResult>
}

/**
 * Finds the user of a request by the headers of an authenticating proxy, else by the client certificate, else by the bearer token.
 * A request without credentials is anonymous. One with wrong credentials alone is refused, even where anonymous requests are allowed.
 */
export const createAuthenticator = (options: AuthenticationOptions): Authenticator => {
  const { clock, clientCAs } = options
  // no page can set the headers of the proxy, whose certificate no browser has
  const proxy = options.requestHeader ? [requestHeaderAuthenticator(options.requestHeader, clock)] : []
  const certificates = [
    ...proxy,
    x509Authenticator(clientCAs, clock, { observe: options.certificateUsed, uids: options.certificateUids })
  ]

  const isAnonymous = (url = '') => options.anonymous && (options.anonymousPaths?.has(pathOf(url)) ?? true)

  const withoutCredentials = (isWrong: boolean, warning: string | undefined, url?: string): AuthenticationResult => {
    if (isWrong) return wrongCertificate
    if (!isAnonymous(url)) return noCredentials
    return warning === undefined ? anonymous : { ...anonymous, warnings: [warning] }
  }

  /** Asks one authenticator after the other. Answers without a promise as long as they do. */
  const askTokens = (
    token: string,
    audiences?: readonly string[],
    problems: string[] = [],
    from = 0,
    annotations?: Readonly<Record<string, string>>
  ): AuthenticationResult | Promise<AuthenticationResult> => {
    const refused = (error: unknown) => {
      if (!(error instanceof TokenError)) throw error
      problems.push(error.message)
      annotations = error.annotations ?? annotations
      return undefined
    }
    for (let i = from; i < options.tokens.length; i++) {
      let found: ReturnType<TokenAuthenticator['authenticateToken']>
      try {
        found = options.tokens[i]!.authenticateToken(token, audiences)
      } catch (error) {
        found = refused(error)
      }
      if (found instanceof Promise)
        return found
          .catch(refused)
          .then(late => (late ? withGroup(late) : askTokens(token, audiences, problems, i + 1, annotations)))
      if (found) return withGroup(found)
    }
    const found = ['invalid bearer token', ...problems]
    return annotations ? { problems: found, annotations } : { problems: found }
  }

  return {
    isCredential: credentialHeaders(...(options.requestHeader ? [options.requestHeader] : [])),
    async reviewToken(text, audiences) {
      const { token } = parseBearerToken(`Bearer ${text}`)
      if (token !== undefined) return askTokens(token, audiences)
      return isAnonymous() ? { ...anonymous, audiences } : { problems: [] }
    },
    authenticate(request, isForeignPage = false) {
      let isWrong = false
      for (const authenticate of isForeignPage ? proxy : certificates) {
        const found = authenticate(request)
        if (found === 'unauthorized') isWrong = !isForeignPage
        else if (found) return withGroup(found)
      }
      const { token, warning } = parseBearerToken(authorizationOf(request))
      if (token === undefined) return withoutCredentials(isWrong, warning, request.url)
      return askTokens(token)
    }
  }
}

/** Returns the path that a request asks for, decoded. */
const pathOf = (url: string) => decodePath(url.split('?', 1)[0]!)

function authorizationOf({ headers }: AuthenticationRequest): string | undefined {
  const { authorization } = headers
  return typeof authorization === 'string' ? authorization : authorization?.[0]
}

const wrongCertificate: AuthenticationResult = { problems: ['the client certificate is not valid'] }
/** The result for a request without credentials where anonymous requests are not allowed. */
export const noCredentials: AuthenticationResult = { problems: ['there are no credentials'] }

const grouped = new WeakMap<Authenticated, Authenticated>()

/**
 * Adds system:authenticated to every user but the anonymous one. Remembers the result, because authenticators return the same
 * objects again.
 */
const withGroup = (found: Authenticated): Authenticated => {
  let result = grouped.get(found)
  if (!result) grouped.set(found, (result = addGroup(found)))
  return result
}

const addGroup = (found: Authenticated): Authenticated => {
  const { name, groups } = found.user
  if (name === ANONYMOUS || groups.includes(AUTHENTICATED_GROUP) || groups.includes(UNAUTHENTICATED_GROUP)) return found
  return { ...found, user: { ...found.user, groups: [...groups, AUTHENTICATED_GROUP] } }
}
