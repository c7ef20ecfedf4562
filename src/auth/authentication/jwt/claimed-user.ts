/** Makes a user of the claims of a verified token, as claimMappings say, and checks the rules of the configuration. */
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { getKey, type JsonObject } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'
import { claimsValue, userValue } from './claim-values.js'
import type { CompiledJwt } from './compiled.js'
import type { ClaimOrExpression, PrefixedClaimOrExpression } from './configuration.js'
import { checkRules, evaluate, explained, stringList } from './evaluate.js'
import { goBool, goText, goTexts } from './go-json.js'

const credentialId = 'authentication.kubernetes.io/credential-id'

/** Throws a TokenError when the claims lack a part of the user, or when a rule refuses them. */
export function claimedUser(claims: JsonObject, jwt: CompiledJwt): UserInfo {
  const name = usernameOf(claims, jwt)
  const groups = groupsOf(claims, jwt)
  const uid = uidOf(claims, jwt)
  const extra = extraOf(claims, jwt)
  const user: UserInfo = { name, groups, ...(uid === '' ? {} : { uid }), ...(Object.keys(extra).length === 0 ? {} : { extra }) }
  checkRequiredClaims(claims, jwt)
  explained('oidc: error evaluating claim validation expression', () => checkRules(jwt.claimRules, 'claims', claimsValue(claims)))
  explained('oidc: error evaluating user info validation rule', () => checkRules(jwt.userRules, 'user', userValue(user)))
  return user
}

/** Reads a claim with `read`, whose errors are those of Go's decoder. */
function claim<T>(claims: JsonObject, name: string, read: (value: unknown) => T): T {
  const value = getKey(claims, name)
  if (value === undefined) throw new TokenError('claim not present')
  return read(value)
}

function usernameOf(claims: JsonObject, { username, config }: CompiledJwt): string {
  if (username) {
    const name = explained('oidc: error evaluating username claim expression', () => {
      const value = evaluate(username, 'claims', claimsValue(claims))
      if (typeof value !== 'string') throw new TokenError('username claim expression must return a string')
      return value
    })
    if (name === '') throw new TokenError('oidc: empty username via CEL expression is not allowed')
    return name
  }
  const { claim: named = '', prefix = '' } = config.claimMappings.username
  const name = explained(`oidc: parse username claims "${named}"`, () => claim(claims, named, value => goText(value)))
  if (named === 'email') checkEmailVerified(claims)
  return prefix + name
}

function checkEmailVerified(claims: JsonObject): void {
  const verified = getKey(claims, 'email_verified')
  if (verified === undefined) return
  if (!explained("oidc: parse 'email_verified' claim", () => goBool(verified))) throw new TokenError('oidc: email not verified')
}

function groupsOf(claims: JsonObject, { groups, config }: CompiledJwt): string[] {
  const { claim: named = '', prefix = '' }: PrefixedClaimOrExpression = config.claimMappings.groups
  const claimed = named === '' ? undefined : getKey(claims, named)
  if (claimed !== undefined)
    return explained(`oidc: parse groups claim "${named}"`, () => textOrTexts(claimed)).map(group => prefix + group)
  if (!groups) return []
  return explained('oidc: error evaluating group claim expression', () =>
    stringList(evaluate(groups, 'claims', claimsValue(claims)))
  )
}

/**
 * Reads groups. A single group may stand without a list. Of a list that contains anything but strings, the error says that it is
 * no string.
 */
function textOrTexts(value: unknown): string[] {
  if (value === null) return []
  const isTexts = Array.isArray(value) && value.every(item => item === null || typeof item === 'string')
  return isTexts ? goTexts(value) : [goText(value)]
}

function uidOf(claims: JsonObject, { uid, config }: CompiledJwt): string {
  const { claim: named = '' }: ClaimOrExpression = config.claimMappings.uid
  if (named !== '') return explained(`oidc: parse uid claim "${named}"`, () => claim(claims, named, value => goText(value)))
  if (!uid) return ''
  return explained('oidc: error evaluating uid claim expression', () => {
    const value = evaluate(uid, 'claims', claimsValue(claims))
    if (typeof value !== 'string') throw new TokenError('uid claim expression must return a string')
    return value
  })
}

function extraOf(claims: JsonObject, { extra: mappings }: CompiledJwt): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {}
  const jti = getKey(claims, 'jti')
  if (typeof jti === 'string' && jti !== '') extra[credentialId] = [`JTI=${jti}`]
  const variable = claimsValue(claims)
  const values = mappings.map(mapping => evaluate(mapping, 'claims', variable))
  for (const [i, { key, source }] of mappings.entries()) {
    const texts = explained(`oidc: error evaluating extra claim expression: ${source}`, () => stringList(values[i]!))
    if (texts.length > 0) extra[key] = texts
  }
  return extra
}

function checkRequiredClaims(claims: JsonObject, { config }: CompiledJwt): void {
  for (const { claim: named = '', requiredValue = '' } of config.claimValidationRules ?? []) {
    if (named === '') continue
    const value = getKey(claims, named)
    if (value === undefined) throw new TokenError(`oidc: required claim ${named} not present in ID token`)
    const text = explained(`oidc: parse claim ${named}`, () => goText(value))
    if (text !== requiredValue)
      throw new TokenError(`oidc: required claim ${named} value does not match. Got = ${text}, want = ${requiredValue}`)
  }
}
