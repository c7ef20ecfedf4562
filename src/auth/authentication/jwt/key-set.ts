/** The keys of an issuer. They are fetched with the first token, and again when a token names a key that is not among them. */
import { compactVerify } from 'jose'
import type { Clock } from '../../../util/clock.js'
import { isObject } from '../../../util/json.js'
import { takingTurns } from '../../../util/turns.js'
import { TokenError } from '../authenticator.js'
import { expiryOf } from './cache-control.js'
import type { CompactJws } from './compact-jws.js'
import { goField } from './go-json.js'
import { type Answer, excerpt, FetchError, type IssuerClient } from './issuer-client.js'
import { type IssuerKey, readKey } from './json-web-key.js'
import { parseDocument, unmarshalProblem } from './provider.js'

/** Keys are not fetched again as long as they stay valid for more milliseconds than this. */
const expiryDeltaMs = 30_000

/** The most keys of an issuer. A token that names none is tried with all of them; Go's client has no such limit. */
const maxKeys = 1000

/**
 * Fetches that may follow one another at once, and milliseconds until there may be one more. Everybody can make up tokens whose keys are unknown; Go's client
 * asks the issuer for each of them.
 */
const burst = 10
const refillMs = 1000

export interface KeySetOptions {
  readonly url: string
  readonly client: IssuerClient
  readonly clock: Clock
  /** Receives the text of the fetched keys; undefined when fetching failed. */
  fetched(text: string | undefined): void
}

export class KeySet {
  readonly #options: KeySetOptions
  #keys: readonly IssuerKey[] = []
  /** Milliseconds since 1970. Keys without an expiry count as expired, and verify nevertheless. */
  #expiry = 0
  #fetching: Promise<readonly IssuerKey[]> | undefined
  /** How many fetches there may be now, as of a time in milliseconds since 1970. */
  #allowed = burst
  #countedAt = 0

  constructor(options: KeySetOptions) {
    this.#options = options
  }

  /** Resolves when one of the keys has signed the token. Rejects with a TokenError otherwise. */
  async verify(token: CompactJws): Promise<void> {
    if (await isSignedByAny(token, this.#keys)) return
    if (this.#options.clock.now() + expiryDeltaMs <= this.#expiry) throw notSigned()
    // all tokens that wait for keys share one request
    this.#fetching ??= this.#fetchInTurn().finally(() => {
      this.#fetching = undefined
    })
    if (!(await isSignedByAny(token, await this.#fetching))) throw notSigned()
  }

  async #fetchInTurn(): Promise<readonly IssuerKey[]> {
    const { clock } = this.#options
    const now = clock.now()
    this.#allowed = Math.min(burst, this.#allowed + Math.max(0, now - this.#countedAt) / refillMs)
    this.#countedAt = now
    const missing = 1 - this.#allowed
    this.#allowed--
    if (missing > 0) await new Promise<void>(resolve => void clock.setTimeout(resolve, missing * refillMs))
    return this.#fetch()
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
      throw new TokenError(`fetching keys oidc: get keys failed: ${statusLine} ${excerpt(text)}`)
    }
    try {
      this.#keys = await readKeys(text)
    } catch (error) {
      fetched(undefined)
      const problem = unmarshalProblem(error, headers)
      throw new TokenError(`fetching keys oidc: failed to decode keys: ${problem} ${excerpt(text)}`)
    }
    fetched(text)
    this.#expiry = expiryOf(headers, clock.now())
    return this.#keys
  }
}

const notSigned = () => new TokenError('failed to verify id token signature')

async function readKeys(text: string): Promise<IssuerKey[]> {
  const set: unknown = parseDocument(text)
  if (set === null) return []
  if (!isObject(set)) throw new TokenError('json: cannot unmarshal into Go value of type jose.JSONWebKeySet')
  const keys = goField(set, 'keys') ?? []
  if (!Array.isArray(keys))
    throw new TokenError('json: cannot unmarshal into Go struct field JSONWebKeySet.keys of type []jose.JSONWebKey')
  if (keys.length > maxKeys) throw new TokenError(`more than ${maxKeys} keys`)
  const read: IssuerKey[] = []
  const turn = takingTurns()
  for (const key of keys) {
    await turn()
    read.push(readKey(key))
  }
  return read
}

async function isSignedByAny(token: CompactJws, keys: readonly IssuerKey[]): Promise<boolean> {
  for (const { id, key } of keys)
    if (key && (token.keyId === '' || id === token.keyId) && (await isSignedBy(token, key))) return true
  return false
}

/**
 * Whether the key has signed the token. The algorithm must fit the key, and critical headers are refused, because none is
 * understood.
 */
async function isSignedBy({ compact, algorithm }: CompactJws, key: NonNullable<IssuerKey['key']>): Promise<boolean> {
  try {
    await compactVerify(compact, key, { algorithms: [algorithm] })
    return true
  } catch {
    return false
  }
}
