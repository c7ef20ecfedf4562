/** Encryption at rest of one server: the file of --encryption-provider-config, its reloads, and the health of its KMS plugins. */
import { readFileSync } from 'node:fs'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { FileFollower } from '../../apimachinery/config/reload.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { Clock, Timer } from '../../util/clock.js'
import { goFileError } from '../../util/go-file-error.js'
import { aggregateText, goQuote } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import type { Randomness } from '../../util/randomness.js'
import { UserError } from '../../util/user-error.js'
import type { Store } from '../contract.js'
import { type ResourceConfiguration, readConfiguration } from './configuration.js'
import { EncryptedStore } from './encrypted-store.js'
import type { GroupResource } from './group-resource.js'
import type { KmsCounts, TransformationCounts } from './metrics.js'
import { makeProviders, type ProviderParts, type Providers } from './providers.js'
import { EncryptedResources } from './resources.js'
import { validateConfiguration } from './validation.js'

/** Counts the reloads of the configuration file, for /metrics. */
export interface ReloadMetrics {
  /** The configuration with this text has been in use since the start. */
  started(text: string): void
  succeeded(text: string): void
  failed(): void
}

export interface EncryptionOptions {
  /** The path of --encryption-provider-config. */
  readonly path: string
  /** The flag --encryption-provider-config-automatic-reload. */
  readonly reloads: boolean
  /** The built-in resources by their path below the store's root. */
  readonly builtin: ReadonlyMap<string, GroupResource>
  readonly counts: TransformationCounts & KmsCounts
  readonly reloadMetrics: ReloadMetrics
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Logger
}

/** The least milliseconds that the plugins of a new configuration have to become healthy. */
const minHealthyMs = 10_000
const healthRetryMs = 100
/** Milliseconds until a new configuration whose plugins are not healthy is tried again; each further wait is twice as long. */
const firstRetryMs = 1000
const lastRetryMs = 60_000

export class Encryption implements Part {
  readonly name = 'encryption at rest'
  readonly #options: EncryptionOptions
  readonly #text: string
  #providers: Providers
  #resources: EncryptedResources | undefined
  readonly #stores: EncryptedStore[] = []
  #follower: FileFollower | undefined
  readonly #old = new Set<{ readonly timer: Timer; readonly providers: Providers }>()
  #retry: Timer | undefined
  #stopped = false
  /** The number of the present configuration, so that a late one does not replace a newer one. */
  #turn = 0
  /** Called when values may have become readable. */
  onReadable: () => void = () => {}

  private constructor(options: EncryptionOptions, text: string, providers: Providers) {
    this.#options = options
    this.#text = text
    this.#providers = providers
  }

  /** Reads the file and asks its KMS plugins for their status. Rejects with a UserError for a file that cannot be used. */
  static async open(options: EncryptionOptions): Promise<Encryption> {
    try {
      const text = readFile(options.path)
      const { parts, onReadable } = partsOf(options)
      const encryption = new Encryption(options, text, await build(load(text, options), parts))
      onReadable(() => encryption.onReadable())
      options.reloadMetrics.started(text)
      return encryption
    } catch (error) {
      throw error instanceof ConfigError ? new UserError(error.message, { cause: error }) : error
    }
  }

  /** Returns the store that encrypts what it keeps in another one. Stores with the same root share the settings. */
  async wrap(store: Store): Promise<Store> {
    const resources = (this.#resources ??= new EncryptedResources(store.root, this.#options.builtin))
    const encrypted = new EncryptedStore(store, key => resources.of(key))
    this.#stores.push(encrypted)
    await this.#use(this.#providers)
    return encrypted
  }

  async #use(providers: Providers): Promise<void> {
    this.#providers = providers
    // events that need a seed may arrive as soon as the transformers are in use
    if (providers.kms.length > 0) await Promise.all(this.#stores.map(store => store.prepareEvents()))
    this.#resources!.use(providers.byResource)
  }

  /** The name of the health check; undefined when there is none. */
  get healthCheck(): string | undefined {
    return this.#options.reloads || this.#providers.kms.length > 0 ? 'kms-providers' : undefined
  }

  /** Rejects when a KMS plugin is not healthy. */
  check(): Promise<void> {
    return checkAll(this.#providers)
  }

  start(): void {
    const { path, reloads, clock } = this.#options
    if (!reloads) return
    this.#follower = new FileFollower({
      path,
      text: this.#text,
      clock,
      changed: text => this.#changed(text),
      failed: error => this.#failed(readError(path, error))
    })
    this.#follower.start()
  }

  async reload(): Promise<void> {
    await this.#follower?.check()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#retry?.cancel()
    await this.#follower?.stop()
    for (const { timer, providers } of this.#old) {
      timer.cancel()
      stop(providers)
    }
    stop(this.#providers)
  }

  async #changed(text: string, retryMs = firstRetryMs): Promise<void> {
    this.#retry?.cancel()
    const turn = ++this.#turn
    const isLate = () => this.#stopped || turn !== this.#turn
    const options = this.#options
    let providers: Providers | undefined
    try {
      const { parts, onReadable } = partsOf(options)
      providers = await build(load(text, options), parts)
      await this.#healthy(providers)
      if (isLate()) return stop(providers)
      const before = this.#providers
      await this.#use(providers)
      onReadable(() => this.onReadable())
      this.#stopLater(before)
      options.log.v?.(2)?.info('Loaded new kms encryption config content')
      options.reloadMetrics.succeeded(text)
      this.onReadable()
    } catch (error) {
      if (providers) stop(providers)
      if (!(error instanceof ConfigError)) throw error
      if (isLate()) return
      this.#failed(error.message)
      if (!providers) return
      // its plugin may start later
      const next = Math.min(lastRetryMs, retryMs * 2)
      this.#retry = options.clock.setTimeout(() => void this.#changed(text, next), retryMs)
    }
  }

  #failed(why: string): void {
    const { path, log, reloadMetrics } = this.#options
    log.error(`error processing encryption config file ${path}: ${why}`)
    reloadMetrics.failed()
  }

  /** Waits until the plugins of a new configuration are healthy. Rejects with a ConfigError. */
  async #healthy(providers: Providers): Promise<void> {
    const { clock } = this.#options
    const end = clock.now() + Math.max(minHealthyMs, 2 * providers.kmsTimeout)
    for (;;) {
      try {
        return await checkAll(providers)
      } catch (error) {
        if (clock.now() < end && !this.#stopped) await new Promise<void>(resolve => clock.setTimeout(resolve, healthRetryMs))
        else
          throw new ConfigError(
            `health check for new transformers failed, polling error timed out waiting for the condition: ${(error as Error).message}`
          )
      }
    }
  }

  /** Stops plugins that are no longer in use, when the calls under way have ended. */
  #stopLater(providers: Providers): void {
    const old = {
      providers,
      timer: this.#options.clock.setTimeout(() => {
        this.#old.delete(old)
        stop(providers)
      }, 2 * providers.kmsTimeout)
    }
    this.#old.add(old)
  }
}

/** Reads and validates a configuration file without asking its KMS plugins. Throws a UserError. */
export function checkEncryptionFile({ path, reloads }: Pick<EncryptionOptions, 'path' | 'reloads'>): void {
  try {
    load(readFile(path), { path, reloads })
  } catch (error) {
    throw error instanceof ConfigError ? new UserError(error.message, { cause: error }) : error
  }
}

/** The parts of providers, whose `readable` calls what is given to `onReadable`, once it is given. */
function partsOf({ counts, clock, random, log }: EncryptionOptions) {
  let listener = () => {}
  const parts = { counts, clock, random, log, readable: () => listener() }
  const onReadable = (to: () => void) => {
    listener = to
  }
  return { parts, onReadable }
}

async function build(configuration: readonly ResourceConfiguration[], parts: ProviderParts): Promise<Providers> {
  try {
    return await makeProviders(configuration, parts)
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`error while building transformers: ${error.message}`) : error
  }
}

function stop({ kms }: Providers): void {
  for (const provider of kms) provider.stop()
}

async function checkAll({ kms }: Providers): Promise<void> {
  const problems: string[] = []
  for (const [i, provider] of kms.entries()) {
    try {
      await provider.check()
    } catch (error) {
      problems.push(`kms-provider-${i}: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new Error(problems.length === 1 ? problems[0] : aggregateText(problems))
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`error while parsing file: error while loading file: ${readError(path, error)}`)
  }
}

const readError = (path: string, error: unknown) =>
  `error reading encryption provider configuration file ${goQuote(path)}: ${goFileError('open', path, error)}`

/** Reads and validates a configuration. Throws a ConfigError with kube-apiserver's words. */
function load(text: string, { path, reloads }: Pick<EncryptionOptions, 'path' | 'reloads'>): readonly ResourceConfiguration[] {
  const inFile = 'error while parsing file: '
  if (text === '')
    throw new ConfigError(`${inFile}error while loading file: encryption provider configuration file ${goQuote(path)} is empty`)
  let configuration: readonly ResourceConfiguration[]
  try {
    configuration = readConfiguration(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const why = error.message
    if (why.startsWith('got unexpected config type')) throw new ConfigError(`${inFile}${why}`)
    throw new ConfigError(`${inFile}error decoding encryption provider configuration file ${goQuote(path)}: ${why}`)
  }
  const errors = new FieldErrors()
  errors.collect(() => validateConfiguration(configuration, reloads, errors))
  if (errors.any)
    throw new ConfigError(`${inFile}${aggregateText(errors.list.map(({ field, message }) => `${field}: ${message}`))}`)
  return configuration
}
