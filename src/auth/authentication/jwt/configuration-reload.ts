/** Follows the file of --authentication-config: a valid change is used, and an invalid one leaves everything as it was. */
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { FileFollower } from '../../../apimachinery/config/reload.js'
import type { Clock, Timer } from '../../../util/clock.js'
import type { Logger } from '../../../util/logger.js'
import type { Part } from '../../../util/part.js'
import type { CompiledJwt } from './compiled.js'
import { type AuthenticationSettings, reloadedConfiguration } from './settings.js'

/** Counts the reloads of the file. */
export interface ReloadMetrics {
  started(text: string): void
  succeeded(text: string): void
  failed(): void
}

export interface ConfigurationReloadOptions {
  readonly settings: AuthenticationSettings
  readonly file: { readonly path: string; readonly text: string }
  readonly disallowedIssuers: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: ReloadMetrics
  /** Puts a configuration into use. Rejects when that is impossible now, and when `signal` aborts. */
  update(jwt: readonly CompiledJwt[], signal: AbortSignal): Promise<void>
}

/** Milliseconds after which an update is tried again, because an issuer may be ready by then. */
const retryMs = 60_000

export class ConfigurationReload implements Part {
  readonly name = 'authentication configuration'
  readonly #options: ConfigurationReloadOptions
  readonly #follower: FileFollower
  #retry: Timer | undefined
  readonly #stopping = new AbortController()
  /** Makes one change after the other, so that the last one counts. */
  #queue = Promise.resolve()

  constructor(options: ConfigurationReloadOptions) {
    this.#options = options
    const { file, clock } = options
    options.metrics.started(file.text)
    this.#follower = new FileFollower({
      ...file,
      clock,
      changed: text => this.#enqueue(text),
      failed: error => this.#failed('failed to read authentication config file', error)
    })
  }

  start(): void {
    this.#follower.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#retry?.cancel()
    await this.#follower.stop()
  }

  reload(): Promise<void> {
    return this.#follower.check()
  }

  #enqueue(text: string): Promise<void> {
    this.#queue = this.#queue.then(() => this.#use(text))
    return this.#queue
  }

  async #use(text: string): Promise<void> {
    const { settings, disallowedIssuers, clock, log, metrics, update } = this.#options
    this.#retry?.cancel()
    let jwt: readonly CompiledJwt[]
    try {
      jwt = reloadedConfiguration(text, settings, disallowedIssuers)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return this.#failed('failed to load authentication config', error)
    }
    try {
      await update(jwt, this.#stopping.signal)
      log.info('reloaded authentication config')
      metrics.succeeded(text)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#failed('failed to update authentication config', error as Error)
      this.#retry = clock.setTimeout(() => void this.#enqueue(text), retryMs)
    }
  }

  #failed(what: string, error: Error): void {
    this.#options.log.error(`${what}: ${error.message}`)
    this.#options.metrics.failed()
  }
}
