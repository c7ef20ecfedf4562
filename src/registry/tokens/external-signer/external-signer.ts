/**
 * Service account tokens that a program beside the server signs, such as one with a hardware security module (KEP-740,
 * --service-account-signing-endpoint). It also says which keys verify tokens.
 */
import { createPublicKey } from 'node:crypto'
import type { Clock, Timer } from '../../../util/clock.js'
import { goQuote } from '../../../util/go-format.js'
import { isObject } from '../../../util/json.js'
import type { Logger } from '../../../util/logger.js'
import type { Part } from '../../../util/part.js'
import { UserError } from '../../../util/user-error.js'
import { algorithmOf, type TokenKey, type TokenKeys, type TokenSigner } from '../token-keys.js'
import { decodeKeys, decodeMetadata, decodeSignResponse, emptyRequest, encodeSignRequest } from './messages.js'
import type { SignerClient } from './signer-client.js'

export interface ExternalSignerOptions {
  readonly client: SignerClient
  readonly clock: Clock
  readonly log: Logger
}

const algorithms: ReadonlySet<string> = new Set(['RS256', 'ES256', 'ES384', 'ES512'])
const headerFields: ReadonlySet<string> = new Set(['alg', 'kid', 'typ'])
const maxIdLength = 1024
const minTokenSeconds = 600
/** Milliseconds until keys are fetched again after that has failed. */
const retryMs = 10_000
/** Milliseconds between two fetches because of an unknown key: anybody can name one. */
const minFetchMs = 1000

export class ExternalSigner implements TokenSigner, TokenKeys, Part {
  readonly name = 'external signer of tokens'
  readonly #options: ExternalSignerOptions
  #keys: readonly TokenKey[] = []
  #generation = 0
  #refreshAt = 0
  #fetchedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined
  #timer: Timer | undefined
  #stopped = false

  constructor(options: ExternalSignerOptions) {
    this.#options = options
  }

  get all(): readonly TokenKey[] {
    return this.#keys
  }

  get generation(): number {
    return this.#generation
  }

  get maxAgeSeconds(): number {
    return Math.max(0, Math.floor((this.#refreshAt - this.#options.clock.now()) / 1000))
  }

  /** Fetches the keys, and returns the most seconds that the signer's tokens are valid. Rejects with a UserError. */
  async open(): Promise<number> {
    try {
      await this.#fetch()
    } catch (error) {
      throw new UserError(`while initially filling key cache: while performing initial cache fill: ${(error as Error).message}`)
    }
    this.#schedule(this.#refreshAt - this.#options.clock.now())
    let seconds: number
    try {
      seconds = await this.#options.client.call('Metadata', emptyRequest, decodeMetadata)
    } catch (error) {
      throw new UserError(`while setting up external-jwt-signer: ${(error as Error).message}`)
    }
    if (seconds < minTokenSeconds)
      throw new UserError(
        `max token life supported by external-jwt-signer (${seconds}s) is less than acceptable (min ${minTokenSeconds}s)`
      )
    return seconds
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
    this.#options.client.close()
  }

  async find(id: string | undefined): Promise<readonly TokenKey[]> {
    const matching = () => (id === undefined ? this.#keys : this.#keys.filter(key => key.id === id))
    const known = matching()
    if (known.length > 0 || this.#options.clock.now() - this.#fetchedAt < minFetchMs) return known
    try {
      await this.#fetch()
    } catch (error) {
      this.#options.log.error(`Error while syncing keys: ${(error as Error).message}`)
      return []
    }
    return matching()
  }

  async sign(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const { header, signature } = await this.#options.client
      .call('Sign', encodeSignRequest(payload), decodeSignResponse)
      .catch(error => {
        throw new Error(`while signing jwt: ${(error as Error).message}`)
      })
    await this.#checkHeader(header)
    if (signature === '') throw new Error('empty signature returned')
    if (!isBase64Url(signature)) throw new Error('the signature is not in base64url')
    return `${header}.${payload}.${signature}`
  }

  async #checkHeader(text: string): Promise<void> {
    const wrong = (why: string) => new Error(`while validating header: ${why}`)
    let header: unknown
    try {
      if (!isBase64Url(text)) throw new Error('no base64url')
      header = JSON.parse(Buffer.from(text, 'base64url').toString())
    } catch (error) {
      throw wrong(`while parsing header JSON: ${(error as Error).message}`)
    }
    if (!isObject(header)) throw wrong('while parsing header JSON: it is no object')
    const unknown = Object.keys(header).find(field => !headerFields.has(field))
    if (unknown !== undefined) throw wrong(`while parsing header JSON: json: unknown field ${goQuote(unknown)}`)
    const { typ, kid, alg } = header
    if (typ !== 'JWT') throw wrong('bad type')
    if (typeof kid !== 'string' || kid === '') throw wrong('key id missing')
    if (Buffer.byteLength(kid) > maxIdLength) throw wrong('key id longer than 1 kb')
    if (typeof alg !== 'string' || !algorithms.has(alg)) throw wrong(`bad signing algorithm ${goQuote(String(alg ?? ''))}`)
    if ((await this.find(kid)).some(key => !key.isPublished))
      throw wrong(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`)
  }

  #fetch(): Promise<void> {
    this.#fetching ??= this.#fetchKeys().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #fetchKeys(): Promise<void> {
    const { client, clock } = this.#options
    const wrong = (why: string) => new Error(`while fetching token verification keys: ${why}`)
    this.#fetchedAt = clock.now()
    const { keys, hasTimestamp, refreshSeconds } = await client.call('FetchKeys', emptyRequest, decodeKeys).catch(error => {
      throw wrong(`while getting externally supported jwt signing keys: ${(error as Error).message}`)
    })
    if (refreshSeconds <= 0) throw wrong(`found invalid refresh hint (${refreshSeconds}s)`)
    if (keys.length === 0) throw wrong('found no keys')
    if (!hasTimestamp) throw wrong('invalid data timestamp: proto: invalid nil Timestamp')
    const read = keys.map(({ id, key, isExcluded }): TokenKey => {
      if (id === '' || Buffer.byteLength(id) > maxIdLength) throw wrong(`found invalid public key id ${goQuote(id)}`)
      if (key.length === 0) throw wrong('found empty public key')
      try {
        return { id, key: createPublicKey({ key, format: 'der', type: 'spki' }), isPublished: !isExcluded }
      } catch (error) {
        throw wrong(`while parsing external public keys: ${(error as Error).message}`)
      }
    })
    const unfit = read.find(({ key }) => !fits(key))
    if (unfit) throw wrong(`the key ${goQuote(unfit.id)} is neither RSA nor ECDSA with P-256, P-384 or P-521`)
    this.#refreshAt = clock.now() + refreshSeconds * 1000
    if (isSame(this.#keys, read)) return
    this.#keys = read
    this.#generation++
  }

  #schedule(milliseconds: number): void {
    if (this.#stopped) return
    this.#timer = this.#options.clock.setTimeout(
      () => {
        this.#fetch()
          .then(
            () => this.#refreshAt - this.#options.clock.now(),
            error => {
              const why = (error as Error).message
              this.#options.log.error(`when syncing supported public keys (Stale set of keys will be supported): ${why}`)
              return retryMs
            }
          )
          .then(next => this.#schedule(next))
      },
      Math.min(milliseconds, longestTimerMs)
    )
  }
}

/** The longest time that a timer of Node can have is 24 days. */
const longestTimerMs = 24 * 60 * 60 * 1000

const isBase64Url = (text: string) => /^[\w-]*$/.test(text)

const curves: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])
const fits = (key: TokenKey['key']) =>
  algorithms.has(algorithmOf(key)) &&
  (key.asymmetricKeyType === 'rsa' || (key.asymmetricKeyType === 'ec' && curves.has(key.asymmetricKeyDetails?.namedCurve)))

function isSame(one: readonly TokenKey[], other: readonly TokenKey[]): boolean {
  const text = (keys: readonly TokenKey[]) =>
    JSON.stringify(keys.map(({ id, key, isPublished }) => [id, isPublished, key.export({ format: 'jwk' })]))
  return text(one) === text(other)
}
