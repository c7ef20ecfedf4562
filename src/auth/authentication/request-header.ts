/**
 * The authenticating proxy: trusts the user in the headers of a request whose client certificate is the proxy's
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#authenticating-proxy).
 */

import type { IdentityHeaders } from '../../apimachinery/request/credential-headers.js'
import type { Link } from '../../transport/certificates/chain-link.js'
import type { Clock } from '../../util/clock.js'
import { decodeHeader, unescapeKey } from '../../util/header-text.js'
import type { Authenticated, AuthenticationRequest } from './authenticator.js'
import { certificateVerifier, commonNameOf, type Refused } from './client-certificates.js'

/** The options of an authenticating proxy. Of the headers for the user's name, the first with a value counts. */
export interface RequestHeaderOptions extends IdentityHeaders {
  /** PEM of the authorities of the proxy's certificate. */
  readonly authorities: readonly string[]
  /** The common names that the proxy's certificate may have; empty for any name. */
  readonly allowedNames: readonly string[]
}

export type RequestHeaderAuthenticator = (request: AuthenticationRequest) => Authenticated | Refused | undefined

export function requestHeaderAuthenticator(options: RequestHeaderOptions, clock: Clock): RequestHeaderAuthenticator {
  const lower = (names: readonly string[]) => names.map(name => name.trim().toLowerCase())
  const usernames = lower(options.usernameHeaders)
  const uids = lower(options.uidHeaders)
  const groups = lower(options.groupHeaders)
  const prefixes = lower(options.extraHeaderPrefixes)
  const allowed = new Set(options.allowedNames)
  const isProxy = (leaf: Link): true | Refused =>
    allowed.size === 0 || allowed.has(commonNameOf(leaf) ?? '') ? true : 'unauthorized'
  const verify = certificateVerifier(options.authorities, clock, isProxy)
  return request => {
    const verified = verify(request)
    if (verified !== true) return verified
    const headers = headersOf(request)
    const name = firstOf(headers, usernames)
    if (name === '') return undefined
    const uid = firstOf(headers, uids)
    const extra = extraOf(headers, prefixes)
    return {
      user: {
        name,
        ...(uid === '' ? {} : { uid }),
        groups: groups.flatMap(header => headers.get(header) ?? []).filter(value => value !== ''),
        ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) })
      }
    }
  }
}

type Headers = ReadonlyMap<string, readonly string[]>

function headersOf(request: AuthenticationRequest): Headers {
  const raw = request.rawHeaders()
  const headers = new Map<string, string[]>()
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const values = headers.get(name)
    if (values) values.push(decodeHeader(raw[i + 1]!))
    else headers.set(name, [decodeHeader(raw[i + 1]!)])
  }
  return headers
}

function firstOf(headers: Headers, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name)?.[0]
    if (value) return value
  }
  return ''
}

function extraOf(headers: Headers, prefixes: readonly string[]): Map<string, string[]> {
  const extra = new Map<string, string[]>()
  for (const prefix of prefixes)
    for (const [name, values] of headers) {
      if (!name.startsWith(prefix)) continue
      const key = unescapeKey(name.slice(prefix.length))
      extra.set(key, [...(extra.get(key) ?? []), ...values])
    }
  return extra
}
