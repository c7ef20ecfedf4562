/** Reads the claims of a service account token, and checks their types: an expiry that is not a number would never come. */
import { attestedGroups } from '../../registry/tokens/service-account-tokens.js'
import { getKey, isObject } from '../../util/json.js'
import { TokenError } from './authenticator.js'

export interface Reference {
  readonly name: string
  readonly uid: string
}

export interface Claims {
  readonly sub: string
  readonly jti: string
  /** Empty when the token names none. */
  readonly audiences: readonly string[]
  /** Seconds since 1970. */
  readonly exp: number | undefined
  readonly nbf: number | undefined
  readonly iat: number | undefined
  /** When a client should have fetched a new token; undefined or 0 for tokens whose time was not extended. */
  readonly warnafter: number | undefined
  readonly namespace: string
  readonly serviceaccount: Reference
  readonly pod: Reference | undefined
  readonly secret: Reference | undefined
  readonly node: Reference | undefined
  readonly validatingwebhookconfiguration: Reference | undefined
  readonly mutatingwebhookconfiguration: Reference | undefined
  /** The API groups about which the bearer may ask webhooks. */
  readonly attestedGroups: readonly string[]
  /** Returns a claim that only tokens from Secrets have. */
  legacy(name: string): string
}

const legacyPrefix = 'kubernetes.io/serviceaccount/'

/** Throws a TokenError when a claim has the wrong type. */
export function readClaims(payload: unknown): Claims {
  const claims = objectOf(payload, 'claims') ?? {}
  const about = objectOf(getKey(claims, 'kubernetes.io'), 'kubernetes.io') ?? {}
  const reference = (name: string) => referenceOf(getKey(about, name), name)
  textOf(claims, 'iss')
  return {
    sub: textOf(claims, 'sub'),
    jti: textOf(claims, 'jti'),
    audiences: audiencesOf(getKey(claims, 'aud')),
    exp: timeOf(claims, 'exp'),
    nbf: timeOf(claims, 'nbf'),
    iat: timeOf(claims, 'iat'),
    warnafter: timeOf(about, 'warnafter'),
    namespace: textOf(about, 'namespace'),
    serviceaccount: reference('serviceaccount') ?? { name: '', uid: '' },
    pod: reference('pod'),
    secret: reference('secret'),
    node: reference('node'),
    validatingwebhookconfiguration: reference('validatingwebhookconfiguration'),
    mutatingwebhookconfiguration: reference('mutatingwebhookconfiguration'),
    attestedGroups: groupsOf(objectOf(getKey(about, 'attestations'), 'attestations')),
    legacy: name => textOf(claims, legacyPrefix + name)
  }
}

const malformed = (name: string) => new TokenError(`malformed claim ${name}`)

function objectOf(value: unknown, name: string) {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw malformed(name)
  return value
}

function textOf(claims: Record<string, unknown>, name: string): string {
  const value = getKey(claims, name) ?? ''
  if (typeof value !== 'string') throw malformed(name)
  return value
}

function timeOf(claims: Record<string, unknown>, name: string): number | undefined {
  const value = getKey(claims, name) ?? undefined
  if (value !== undefined && (typeof value !== 'number' || !Number.isFinite(value))) throw malformed(name)
  return value && Math.trunc(value)
}

function audiencesOf(value: unknown): readonly string[] {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
  if (!values.every(audience => typeof audience === 'string')) throw malformed('aud')
  return values
}

function groupsOf(attestations: Record<string, unknown> | undefined): readonly string[] {
  const values = (attestations && getKey(attestations, attestedGroups)) ?? []
  if (!Array.isArray(values) || !values.every(value => typeof value === 'string')) throw malformed('attestations')
  return values
}

function referenceOf(value: unknown, name: string): Reference | undefined {
  const reference = objectOf(value, name)
  return reference && { name: textOf(reference, 'name'), uid: textOf(reference, 'uid') }
}
