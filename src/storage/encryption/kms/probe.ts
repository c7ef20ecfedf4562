/**
 * Asks a KMS v2 plugin for its status, and keeps the seed that new values are encrypted with. A new key id of the plugin brings a new
 * seed. When the plugin fails, the seed serves for a while.
 */
import type { Clock, Timer } from '../../../util/clock.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import type { Logger } from '../../../util/logger.js'
import type { Randomness } from '../../../util/randomness.js'
import { fillRandom } from '../aes.js'
import type { KmsCounts } from '../metrics.js'
import { TransformError } from '../transformer.js'
import type { KmsService } from './client.js'
import { assertValid, hashOf, invalidKeyId, quotedHash, seedId } from './encrypted-object.js'
import { encodeTail, hkdfSeed, type StatusResponse } from './messages.js'
import { SeededGcm, seedLength } from './seed.js'

/** Milliseconds between two checks of a healthy plugin, and of one that fails. */
const healthyMs = 60_000
const failingMs = 10_000
/** For how many milliseconds after the beginning of the last successful check a seed encrypts. */
const seedMs = 180_000
/** For how many milliseconds the outcome of a check counts. */
const healthyAnswerMs = 20_000
const failureAnswerMs = 3000

/** The state with which new values are encrypted. */
export interface WriteState {
  readonly transformer: SeededGcm
  readonly keyId: string
  readonly keyIdHash: string
  /** What is stored beside each encrypted value. */
  readonly tail: Buffer
  readonly sourceType: number
  readonly seedId: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

export interface ProbeOptions {
  readonly name: string
  readonly service: KmsService
  readonly clock: Clock
  readonly random: Randomness
  readonly counts: KmsCounts
  readonly log: Logger
  /** Called after each successful check. */
  healthy(): void
}

export class KmsProbe {
  readonly #options: ProbeOptions
  #state: WriteState | undefined
  #version = ''
  #answer: { readonly until: number; readonly error: Error | undefined } | undefined
  #checking: Promise<void> | undefined
  #timer: Timer | undefined
  #stopped = false

  constructor(options: ProbeOptions) {
    this.#options = options
  }

  /** Undefined until the plugin has been healthy once. */
  get state(): WriteState | undefined {
    return this.#state
  }

  /** Checks once, so that a healthy plugin can be used immediately, and continues to check. */
  async start(): Promise<void> {
    await this.#poll()
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }

  async #poll(): Promise<void> {
    const { name, clock, log } = this.#options
    let wait = healthyMs
    try {
      await this.check()
    } catch (error) {
      wait = failingMs
      log.v?.(2)?.info(`kms plugin failed health check probe: ${(error as Error).message}`, { name })
    }
    if (!this.#stopped) this.#timer = clock.setTimeout(() => void this.#poll(), wait)
  }

  /** Rejects when the plugin is not healthy. Many probes come every second, so the outcome of a check counts for a while. */
  check(): Promise<void> {
    const answer = this.#answer
    if (!answer || this.#options.clock.now() >= answer.until)
      return (this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined
      }))
    return answer.error ? Promise.reject(answer.error) : Promise.resolve()
  }

  async #check(): Promise<void> {
    const { name, service } = this.#options
    let status: StatusResponse
    try {
      status = await service.status()
    } catch (error) {
      this.#answered(error as Error)
      const why = (error as Error).message
      throw new Error(`failed to perform status section of the healthz check for KMS Provider ${name}, error: ${why}`)
    }
    const problems = await this.#problems(status)
    if (problems.length > 0) {
      const why = problems.length === 1 ? problems[0] : aggregateText(problems)
      const error = new Error(`kmsv2 Provider ${name} is not healthy, error: ${why}`)
      this.#answered(error)
      throw error
    }
    this.#answered(undefined)
    this.#options.healthy()
  }

  #answered(error: Error | undefined): void {
    const until = this.#options.clock.now() + (error ? failureAnswerMs : healthyAnswerMs)
    this.#answer = { until, error }
  }

  async #problems({ healthz, version, keyId }: StatusResponse): Promise<string[]> {
    const { name, counts } = this.#options
    const problems: string[] = []
    if (healthz !== 'ok') problems.push(`got unexpected healthz status: ${healthz}`)
    if (version !== 'v2' && version !== 'v2beta1') problems.push(`expected KMSv2 API version v2, got ${version}`)
    else {
      this.#version ||= version
      if (this.#version !== version)
        problems.push(
          `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`
        )
    }
    const invalid = invalidKeyId(keyId)
    if (invalid) {
      counts.invalidStatusKey(name, invalid.code)
      problems.push(`got invalid KMSv2 KeyID hash ${quotedHash(keyId)}: ${invalid.why}`)
      return problems
    }
    counts.statusKey(name, hashOf(keyId))
    const why = await this.#renew(keyId)
    if (why !== undefined) problems.push(why)
    return problems
  }

  /** Makes a new seed when the key id has changed. Returns why that failed; the former seed is used then, until it expires. */
  async #renew(keyId: string): Promise<string | undefined> {
    const { clock, random } = this.#options
    const state = this.#state
    const expires = clock.now() + seedMs
    if (state?.keyId === keyId) {
      this.#state = { ...state, expires }
      return undefined
    }
    const uid = random.uuid()
    let failure = '<nil>'
    let encryptKeyId = ''
    try {
      const made = await this.#makeSeed(uid, expires)
      encryptKeyId = made.keyId
      if (encryptKeyId === keyId) {
        this.#state = made
        return undefined
      }
    } catch (error) {
      if (!(error instanceof TransformError)) throw error
      failure = error.message
    }
    return (
      `failed to rotate DEK uid=${goQuote(uid)}, useSeed=true, errState=${state ? '<nil>' : noTransformer}, errGen=${failure}, ` +
      `statusKeyIDHash=${quotedHash(keyId)}, encryptKeyIDHash=${quotedHash(encryptKeyId)}, ` +
      `stateKeyIDHash=${quotedHash(state?.keyId ?? '')}, expirationTimestamp=${state ? goTime(state.expires) : '0001-01-01T00:00:00Z'}`
    )
  }

  async #makeSeed(uid: string, expires: number): Promise<WriteState> {
    const { service, counts } = this.#options
    const began = performance.now()
    const seed = Buffer.alloc(seedLength)
    fillRandom(seed)
    counts.seedMade((performance.now() - began) / 1000)
    const { ciphertext, keyId, annotations } = await service.encrypt(seed, uid).catch(error => {
      throw error instanceof TransformError
        ? new TransformError(`failed to encrypt DEK, error: ${error.message}`, error.grpcCode)
        : error
    })
    const made = { encryptedSource: ciphertext, keyId, annotations, sourceType: hkdfSeed }
    // any data serves the purpose
    assertValid({ ...made, encryptedData: Buffer.alloc(1) })
    const transformer = new SeededGcm(seed)
    const keyIdHash = hashOf(keyId)
    return { transformer, keyId, keyIdHash, tail: encodeTail(made), sourceType: hkdfSeed, seedId: seedId(made), expires }
  }
}

export const noTransformer = 'got unexpected nil transformer'

/** Formats a time as RFC 3339 in whole seconds. */
export const goTime = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
