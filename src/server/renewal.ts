import { parsedCertificate } from '../transport/certificates/parsed.js'
import type { Pki } from '../transport/certificates/pki.js'
import type { Clock, Timer } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { openPki } from './open-pki.js'
import type { ServerOptions } from './options.js'

const dayMs = 24 * 60 * 60 * 1000

export interface RenewalOptions {
  readonly pki: Pki
  readonly clock: Clock
  readonly log: Logger
  /** Puts the renewed certificates into use. */
  use(renewed: Pki): Promise<void>
}

/** Checks the certificates every day while the server runs, renews expiring ones and serves with the new ones. */
export class Renewal implements Part {
  readonly name = 'renewal of certificates'
  readonly #server: ServerOptions
  readonly #options: RenewalOptions
  #pki: Pki
  #timer: Timer | undefined
  #running: Promise<void> | undefined

  constructor(server: ServerOptions, options: RenewalOptions) {
    this.#server = server
    this.#options = options
    this.#pki = options.pki
  }

  /** When the server's own certificate expires; undefined for a certificate that the server does not renew. */
  get expiry(): number | undefined {
    return this.#server.tlsCertFile === undefined
      ? Date.parse(parsedCertificate(this.#pki.serving.certificate).validTo)
      : undefined
  }

  start(): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      // a clock that jumps over many days asks for one renewal
      this.#running ??= this.reload().finally(() => (this.#running = undefined))
      this.start()
    }, dayMs)
  }

  /** For a process that does not renew certificates itself, but reads them again when it is told to. */
  get withoutTimer(): Part {
    return { name: this.name, reload: () => this.reload(), stop: () => this.stop() }
  }

  /** Renews the certificates now, or reads again those that come from files. */
  async reload(): Promise<void> {
    const { pki, clock, log } = this.#options
    try {
      const renewed = await openPki(this.#server, clock, { files: pki.files })
      this.#pki = renewed
      await this.#options.use(renewed)
    } catch (error) {
      log.error(`renewing the certificates failed: ${error instanceof Error ? error.message : error}`)
    }
  }

  /** Waits for a renewal that is under way, because it writes files. */
  async stop(): Promise<void> {
    this.#timer?.cancel()
    await this.#running
  }
}
