/** Reads the parts of a signed token without trusting them, as go-jose does. */
import { parseExact } from '../../../util/exact-json.js'
import { goQuote } from '../../../util/go-format.js'
import { getKey, isDeeperThan, isObject, type JsonObject, maxJsonDepth } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'
import { goField, goObject, goText } from './go-json.js'
import { withScheme } from './id-token.js'
import { isPublicKey, readKey } from './json-web-key.js'

/** Tokens with more characters are refused unread: a request's header has room for less. */
const longest = 256 * 1024

export interface CompactJws {
  readonly algorithm: string
  readonly keyId: string
  readonly payload: string
  /** The token without white space. */
  readonly compact: string
}

/** Returns the issuer that a token claims; undefined for a text that is no JSON Web Token. */
export function claimedIssuer(token: string): string | undefined {
  if (token.length > longest || token.trimStart().startsWith('{')) return undefined
  const parts = token.split('.', 4)
  if (parts.length !== 3) return undefined
  try {
    const payload: unknown = JSON.parse(decodeBase64(parts[1]!))
    return isObject(payload) ? withScheme(goText(goField(payload, 'iss'))) : undefined
  } catch {
    return undefined
  }
}

/** Throws a TokenError. */
export function readCompactJws(token: string): CompactJws {
  if (token.split('.', 4).length > 3) throw new TokenError('oidc: malformed jwt')
  try {
    return parse(token.replace(/\s/g, ''))
  } catch (error) {
    throw error instanceof TokenError ? new TokenError(`oidc: malformed jwt: ${error.message}`) : error
  }
}

function parse(compact: string): CompactJws {
  const parts = compact.split('.')
  if (parts.length !== 3) throw new TokenError('go-jose/go-jose: compact JWS format must have three parts')
  const [protectedHeader, payload] = parts.map(decodeBase64) as [string, string, string]
  const header = protectedHeader === '' ? {} : goObject(parseJson(protectedHeader), 'Go value', 'jose.rawHeader')
  const text = (name: string, called: string) => part(header, name, called, value => goText(value))
  const read = { algorithm: text('alg', 'algorithm'), keyId: text('kid', 'key ID'), payload, compact }
  text('nonce', 'nonce')
  const key = part(header, 'jwk', 'JWK', value => (value === undefined || value === null ? undefined : readKey(value)))
  if (key && !isPublicKey(key)) throw new TokenError('go-jose/go-jose: invalid embedded jwk, must be public key')
  return read
}

function part<T>(header: JsonObject, name: string, called: string, read: (value: unknown) => T): T {
  const value = getKey(header, name)
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    throw new TokenError(`failed to unmarshal ${called}: ${error.message}: ${goQuote(JSON.stringify(value))}`)
  }
}

/** Throws a TokenError. What is too deep cannot be shown in an error. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = parseExact(text)
  } catch (error) {
    throw new TokenError((error as Error).message)
  }
  if (isDeeperThan(value, maxJsonDepth)) throw new TokenError('exceeded max depth')
  return value
}

/** Decodes base64 text. As in Go, line breaks do not count. */
export function decodeBase64(text: string): string {
  const plain = text.replace(/[\r\n]/g, '')
  const wrong = plain.search(/[^A-Za-z0-9_-]/)
  if (wrong >= 0) throw new TokenError(`illegal base64 data at input byte ${wrong}`)
  if (plain.length % 4 === 1) throw new TokenError(`illegal base64 data at input byte ${plain.length - 1}`)
  return Buffer.from(plain, 'base64url').toString()
}
