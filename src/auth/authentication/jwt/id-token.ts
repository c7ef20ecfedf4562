/** The claims of an ID token, and the checks that every token must pass. */
import { goQuote } from '../../../util/go-format.js'
import { isObject, type JsonObject, own } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'
import { foldedName, goField, goObject, goSeconds, goText, goTexts } from './go-json.js'

export interface IdTokenRules {
  readonly issuer: string
  readonly audiences: readonly string[]
  /** Milliseconds since 1970. */
  now(): number
}

/** The difference between clocks that is tolerated for nbf. For exp, none is. */
const leewaySeconds = 60

const google = 'https://accounts.google.com'

/** Adds the scheme that Google sometimes leaves out of its issuer. */
export const withScheme = (issuer: string): string => (issuer === 'accounts.google.com' ? google : issuer)

/** Checks the claims of a token whose signature is right. Throws a TokenError. */
export function checkIdToken(payload: unknown, { issuer, audiences, now }: IdTokenRules): JsonObject {
  if (!isObject(payload)) throw new TokenError('oidc: failed to unmarshal claims: no object')
  const token = readIdToken(payload)
  checkSources(token)
  if (token.issuer !== issuer && !(issuer === google && withScheme(token.issuer) === google))
    throw new TokenError(
      `oidc: id token issued by a different provider, expected ${goQuote(issuer)} got ${goQuote(token.issuer)}`
    )
  const [only] = audiences
  if (audiences.length === 1 && !token.audiences.includes(only!))
    throw new TokenError(`oidc: expected audience ${goQuote(only!)} got ${quotedList(token.audiences)}`)
  checkTimes(token, now() / 1000)
  if (!token.audiences.some(audience => audiences.includes(audience)))
    throw new TokenError(`oidc: expected audience in ${quotedList([...audiences].sort())} got ${quotedList(token.audiences)}`)
  return payload
}

export const quotedList = (texts: readonly string[]): string => `[${texts.map(goQuote).join(' ')}]`

interface IdToken {
  readonly issuer: string
  readonly audiences: readonly string[]
  /** Seconds since 1970; undefined when the token does not expire. */
  readonly expiry: number | undefined
  readonly notBefore: number | undefined
  readonly claimNames: Readonly<Record<string, string>>
  readonly claimSources: JsonObject
}

/** Reads the claims as kube-apiserver's library does: an unreadable time or audience is reported before any other wrong type. */
function readIdToken(payload: JsonObject): IdToken {
  const read: Writable<IdToken> = {
    issuer: '',
    audiences: [],
    expiry: undefined,
    notBefore: undefined,
    claimNames: {},
    claimSources: {}
  }
  const strict: Record<string, Reader> = {
    aud: (value, place) => (read.audiences = readAudiences(value, place)),
    exp: (value, place) => (read.expiry = goSeconds(value, place)),
    iat: goSeconds,
    nbf: (value, place) => (read.notBefore = value === null ? undefined : goSeconds(value, place))
  }
  const lenient: Record<string, Reader> = {
    iss: (value, place) => (read.issuer = goText(value, place)),
    sub: goText,
    nonce: goText,
    at_hash: goText,
    _claim_names: (value, place) => (read.claimNames = readNames(value, place)),
    _claim_sources: (value, place) => (read.claimSources = readSources(value, place))
  }
  readFields(payload, strict)
  readFields(payload, lenient)
  return read
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Reader = (value: unknown, place: string) => unknown

/** Reads fields in the order of the document. Go ignores the case of their names. */
function readFields(payload: JsonObject, readers: Readonly<Record<string, Reader>>): void {
  for (const [key, value] of Object.entries(payload)) {
    const name = foldedName(key)
    const read = own(readers, name)
    try {
      read?.(value, `Go struct field idToken.${name}`)
    } catch (error) {
      throw error instanceof TokenError ? new TokenError(`oidc: failed to unmarshal claims: ${error.message}`) : error
    }
  }
}

function readAudiences(value: unknown, place: string): string[] {
  return typeof value === 'string' || value === null ? [value ?? ''] : goTexts(value, place)
}

function readNames(value: unknown, place: string): Record<string, string> {
  const names = goObject(value, place, 'map[string]string')
  for (const source of Object.values(names)) goText(source, place)
  return names as Record<string, string>
}

function readSources(value: unknown, place: string): JsonObject {
  const sources = goObject(value, place, 'map[string]oidc.claimSource')
  for (const source of Object.values(sources)) {
    const fields = goObject(source, place, 'oidc.claimSource')
    for (const name of ['endpoint', 'access_token'])
      goText(goField(fields, name), `Go struct field claimSource._claim_sources.${name}`)
  }
  return sources
}

function checkSources({ claimNames, claimSources }: IdToken): void {
  for (const source of Object.values(claimNames)) {
    if (!source) throw new TokenError('oidc: failed to obtain source from claim name')
    if (own(claimSources, source) === undefined) throw new TokenError('oidc: source does not exist')
  }
}

function checkTimes({ expiry, notBefore }: IdToken, now: number): void {
  // to Go, a time of 2^63 seconds is in the past
  if (expiry === undefined || expiry < now || expiry === Number.POSITIVE_INFINITY)
    throw new TokenError(`oidc: token is expired (Token Expiry: ${goTime(expiry)})`)
  if (notBefore !== undefined && now + leewaySeconds < notBefore)
    throw new TokenError(`oidc: current time ${goTime(now)} before the nbf (not before) time: ${goTime(notBefore)}`)
}

/** Formats a time.Time in UTC as Go's %v does. */
function goTime(seconds: number | undefined): string {
  if (seconds === undefined) return '0001-01-01 00:00:00 +0000 UTC'
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return '292277026596-12-04 15:30:08 +0000 UTC'
  const [day, time] = date.toISOString().split('T')
  return `${day} ${time!.replace('Z', '').replace(/\.?0*$/, '')} +0000 UTC`
}
