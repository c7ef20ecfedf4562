/** Runs the webhooks of an operator: their certificates, their server, and what leads API servers to it. */
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:https'
import { join } from 'node:path'
import type { Clock, Timer } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { Logger } from '../../util/logger.js'
import { fileError } from '../../util/user-error.js'
import type { KubeClient } from '../types.js'
import { CaInjector } from './ca-injector.js'
import { type Listening, listen } from './endpoints.js'
import type { Operator } from './operator.js'
import { type ServingCertificates, WebhookCertificates } from './webhook-certificates.js'
import { byUrl, type Reach, serviceHosts, serviceName } from './webhook-configurations.js'
import { webhookServer } from './webhook-server.js'

/**
 * Where the webhooks listen, and by which certificate.
 *
 * @example
 * const webhooks: WebhookOptions = { port: 9443, host: '0.0.0.0' }
 */
export interface WebhookOptions {
  /** 0 for any that is free. */
  readonly port: number
  /** The address; 127.0.0.1. */
  readonly host?: string | undefined
  /**
   * A folder with `tls.crt` and `tls.key` that somebody else writes, such as cert-manager. It is read again every 10 s, and the CA is not put into configurations. When left out, the operator
   * makes its certificates, and keeps them in the Secret `NAME-webhooks`.
   */
  readonly certificates?: string | undefined
}

export interface RunningWebhooks {
  readonly url: string
  /** How an API server on this host reaches them. */
  readonly reach: Reach
  /** Begins to put the authority into configurations. */
  inject(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  readonly client: KubeClient
  readonly namespace: string
  /** Whether the certificates are for this process alone. */
  readonly isAlone: boolean
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

const rereadMs = 10_000

export async function runWebhooks(operator: Operator, options: WebhookOptions, needs: Needs): Promise<RunningWebhooks> {
  const { port, host = '127.0.0.1', certificates: folder } = options
  const { client, namespace, isAlone, clock, log, metrics } = needs
  let server: Server | undefined
  const use = ({ certificate, key }: Pick<ServingCertificates, 'certificate' | 'key'>) =>
    server?.setSecureContext({ cert: certificate, key })
  const injector = folder === undefined ? new CaInjector(client, operator, log) : undefined
  const certificates = new WebhookCertificates({
    names: [...serviceHosts(operator, namespace), host, 'localhost', '127.0.0.1'],
    secret: isAlone ? undefined : { client, name: serviceName(operator), namespace },
    clock,
    log,
    changed(changed) {
      use(changed)
      if (server) void injector!.inject(changed.ca)
    }
  })
  const files = folder === undefined ? undefined : new CertificateFiles(folder, clock, log, use)
  const first = files ? await files.start() : await certificates.start()
  server = webhookServer(operator, { client, log, metrics, ...first })
  let listening: Listening
  try {
    listening = await listen(server, { port, host }, 'https')
  } catch (error) {
    certificates.stop()
    files?.stop()
    throw error
  }
  const ca = certificates.present?.ca ?? ''
  return {
    url: listening.url,
    reach: byUrl(listening.url, Buffer.from(ca).toString('base64')),
    async inject() {
      if (!injector) return
      injector.start()
      await injector.inject(certificates.present!.ca)
    },
    async stop() {
      certificates.stop()
      files?.stop()
      await injector?.stop()
      await listening.close()
    }
  }
}

type Pair = Pick<ServingCertificates, 'certificate' | 'key'>

/** Certificates that somebody else writes and renews. */
class CertificateFiles {
  readonly #folder: string
  readonly #clock: Clock
  readonly #log: Logger
  readonly #changed: (pair: Pair) => void
  #present: Pair | undefined
  #timer: Timer | undefined
  #stopped = false

  constructor(folder: string, clock: Clock, log: Logger, changed: (pair: Pair) => void) {
    this.#folder = folder
    this.#clock = clock
    this.#log = log
    this.#changed = changed
  }

  async start(): Promise<Pair> {
    this.#present = await this.#read()
    this.#readLater()
    return this.#present
  }

  async #read(): Promise<Pair> {
    const [certificate, key] = await Promise.all(
      ['tls.crt', 'tls.key'].map(async name => {
        const path = join(this.#folder, name)
        try {
          return await readFile(path, 'utf8')
        } catch (error) {
          throw fileError(path, error)
        }
      })
    )
    return { certificate: certificate!, key: key! }
  }

  #readLater(): void {
    if (this.#stopped) return
    this.#timer = this.#clock.setTimeout(async () => {
      try {
        const next = await this.#read()
        if (next.certificate !== this.#present!.certificate) {
          // a certificate that does not belong to its key is half of a renewal
          this.#changed(next)
          this.#present = next
        }
      } catch (error) {
        this.#log.warn(`webhooks: the certificate cannot be read again: ${(error as Error).message}`)
      }
      this.#readLater()
    }, rereadMs)
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }
}
