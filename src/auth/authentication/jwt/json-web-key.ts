/** Reads JSON Web Keys as strictly as go-jose does: a single unknown key makes a whole set unreadable. */
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { JsonObject } from '../../../util/json.js'
import { getKey } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'
import { goObject, goText } from './go-json.js'

export interface IssuerKey {
  readonly id: string
  /** The key; undefined for keys that cannot verify tokens here: symmetric, private and Ed25519 ones. */
  readonly key: KeyObject | undefined
}

const coordinateBytes = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66]
])

const wrong = (why: string) => new TokenError(`go-jose/go-jose: ${why}`)

/** Throws a TokenError. */
export function readKey(value: unknown): IssuerKey {
  const key = goObject(value, 'Go value', 'jose.rawJSONWebKey')
  const field = (name: string) => goText(getKey(key, name), `Go struct field rawJSONWebKey.${name}`)
  const id = field('kid')
  const isPrivate = field('d') !== ''
  switch (field('kty')) {
    case 'RSA':
      if (!field('n') || !field('e')) throw wrong('invalid RSA key, missing n/e values')
      return { id, key: isPrivate ? undefined : publicKey(key, ['n', 'e'], 'invalid RSA key') }
    case 'EC':
      checkCoordinates(field)
      return { id, key: isPrivate ? undefined : publicKey(key, ['crv', 'x', 'y'], notOnCurve) }
    case 'oct':
      if (!field('k')) throw wrong('invalid OCT (symmetric) key, missing k value')
      return { id, key: undefined }
    case 'OKP':
      if (field('crv') !== 'Ed25519' || !field('x')) throw wrong(`unknown curve ${field('crv')}'`)
      return { id, key: undefined }
    default:
      throw wrong(`unknown json web key type '${field('kty')}'`)
  }
}

const notOnCurve = 'invalid EC key, X/Y are not on declared curve'

/** Whether the key may stand in a token's header, where any public key may stand, although it is not used. */
export const isPublicKey = ({ key }: IssuerKey): boolean => key !== undefined

function checkCoordinates(field: (name: string) => string): void {
  const size = coordinateBytes.get(field('crv'))
  if (size === undefined) throw wrong(`unsupported elliptic curve '${field('crv')}'`)
  if (!field('x') || !field('y')) throw wrong('invalid EC key, missing x/y values')
  for (const name of ['x', 'y'])
    if (Buffer.from(field(name), 'base64url').length !== size) throw wrong(`invalid EC public key, wrong length for ${name}`)
}

/** Makes a key from the named fields only, so that no other field decides what the key may be used for. */
function publicKey(key: JsonObject, names: readonly string[], problem: string): KeyObject {
  const jwk = Object.fromEntries(['kty', ...names].map(name => [name, key[name]]))
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  } catch {
    throw wrong(problem)
  }
}
