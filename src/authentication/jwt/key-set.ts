/** The keys of an issuer: fetched with the first token, and again when a token names one that is not there. */
import { compactVerify } from 'jose'
import type { Clock } from '../../util/clock.js'
import { isObject } from '../../util/json.js'
import { TokenError } from '../authenticator.js'
import { expiryOf } from './cache-control.js'
import type { CompactJws } from './compact-jws.js'
import { goField } from './go-json.js'
import { type Answer, FetchError, type IssuerClient } from './issuer-client.js'
import { type IssuerKey, readKey } from './json-web-key.js'
import { unmarshalProblem } from './provider.js'

/** While this time is left until they expire, keys are not fetched again. */
const expiryDeltaMs = 30_000

export interface KeySetOptions {
  readonly url: string
  readonly client: IssuerClient
  readonly clock: Clock
  /** Takes the text of keys that have been fetched; undefined when that failed. */
  fetched(text: string | undefined): void
}

export class KeySet {
  readonly #options: KeySetOptions
  #keys: readonly IssuerKey[] = []
  /** Milliseconds since 1970. Keys without an expiry have expired, and verify nevertheless. */
  #expiry = 0
  #fetching: Promise<readonly IssuerKey[]> | undefined

  constructor(options: KeySetOptions) {
    this.#options = options
  }

  /** Resolves when one of the keys has signed the token, else rejects with a TokenError. */
  async verify(token: CompactJws): Promise<void> {
    if (await isSignedByAny(token, this.#keys)) return
    if (this.#options.clock.now() + expiryDeltaMs <= this.#expiry) throw notSigned()
    // one request for all tokens that wait for it
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined
    })
    if (!(await isSignedByAny(token, await this.#fetching))) throw notSigned()
  }

  async #fetch(): Promise<readonly IssuerKey[]> {
    const { client, url, clock, fetched } = this.#options
    let answer: Answer
    try {
      answer = await client.get(url)
    } catch (error) {
      fetched(undefined)
      if (!(error instanceof FetchError)) throw error
      throw new TokenError(`fetching keys oidc: get keys failed ${error.message}`)
    }
    const { status, statusLine, headers, text } = answer
    if (status !== 200) {
      fetched(undefined)
      throw new TokenError(`fetching keys oidc: get keys failed: ${statusLine} ${text}`)
    }
    try {
      this.#keys = readKeys(text)
    } catch (error) {
      fetched(undefined)
      const problem = unmarshalProblem(error, headers)
      throw new TokenError(`fetching keys oidc: failed to decode keys: ${problem} ${text}`)
    }
    fetched(text)
    this.#expiry = expiryOf(headers, clock.now())
    return this.#keys
  }
}

const notSigned = () => new TokenError('failed to verify id token signature')

function readKeys(text: string): IssuerKey[] {
  const set: unknown = JSON.parse(text)
  if (set === null) return []
  if (!isObject(set)) throw new TokenError('json: cannot unmarshal into Go value of type jose.JSONWebKeySet')
  const keys = goField(set, 'keys') ?? []
  if (!Array.isArray(keys))
    throw new TokenError('json: cannot unmarshal into Go struct field JSONWebKeySet.keys of type []jose.JSONWebKey')
  return keys.map(readKey)
}

async function isSignedByAny(token: CompactJws, keys: readonly IssuerKey[]): Promise<boolean> {
  for (const { id, key } of keys)
    if (key && (token.keyId === '' || id === token.keyId) && (await isSignedBy(token, key))) return true
  return false
}

/** The algorithm has to fit the key, and critical headers are refused, because none is understood. */
async function isSignedBy({ compact, algorithm }: CompactJws, key: NonNullable<IssuerKey['key']>): Promise<boolean> {
  try {
    await compactVerify(compact, key, { algorithms: [algorithm] })
    return true
  } catch {
    return false
  }
}
