/** A server as a value: made from options, started, asked, stopped. */
import { kubeconfigText } from '../certificates/kubeconfig.js'
import { type InjectedRequest, type InjectedResponse, inject } from '../chain/inject.js'
import type { Faults } from '../faults/faults.js'
import type { ServerOptions } from '../options.js'
import type { Recorder } from '../recorder/recorder.js'
import { checkOptions } from './check-options.js'
import { type RunningServer, startServer } from './start.js'

/**
 * A server that `createServer` made. Everything but `start` and `stop` throws while the server is not running.
 *
 * @example
 * const server: BinnacleServer = createServer({ securePort: 6443 })
 * await server.start()
 * console.log(server.url) // https://127.0.0.1:6443
 */
export interface BinnacleServer {
  /** Resolves when the server answers requests. Rejects with a UserError where the user can put it right. */
  start(): Promise<void>
  /** Waits for requests under way, ends watches, and closes the store. Idempotent. */
  stop(): Promise<void>
  /** Reads configuration files and certificates again, as SIGHUP makes `binnacle serve` do. Problems are logged, and the old content stays. */
  reload(): Promise<void>
  /** `https://127.0.0.1:6443` */
  readonly url: string
  /** The text of a kubeconfig of a member of system:masters. */
  kubeconfig(): string
  /** PEM of the certificate authority that clients have to trust. */
  readonly caCertificate: string
  /** Lets requests fail, by rules: docs/testing.md. */
  readonly faults: Faults
  /** The last requests, where the option `recorder` asks for them: docs/testing.md. */
  readonly recorder: Recorder | undefined
  /** Sends a request through the whole handler chain, without a connection. */
  inject(request: InjectedRequest): Promise<InjectedResponse>
}

/**
 * Makes a server. It opens, reads and listens to nothing before `start`, and leaves nothing open after `stop`. One process may
 * run any number of servers. Throws a UserError for options that do not exist or are of the wrong type.
 *
 * @example
 * const server = createServer()
 * await server.start()
 * fs.writeFileSync('kubeconfig', server.kubeconfig())
 * await server.stop()
 */
export function createServer(options: ServerOptions = {}): BinnacleServer {
  checkOptions(options)
  let running: RunningServer | undefined
  const need = () => {
    if (!running) throw new Error('the server is not running: call start() first')
    return running
  }
  return {
    async start() {
      if (running) throw new Error('the server is running already')
      running = await startServer(options)
    },
    async stop() {
      const stopping = running
      running = undefined
      await stopping?.stop()
    },
    async reload() {
      await need().reload()
    },
    get url() {
      return need().url
    },
    kubeconfig() {
      const { pki, url } = need()
      const { trust, tlsServerName } = pki.serving
      return kubeconfigText({
        server: url,
        certificateAuthority: trust,
        clientCertificate: pki.admin.certificate,
        clientKey: pki.admin.key,
        tlsServerName
      })
    },
    get caCertificate() {
      return need().pki.serving.trust
    },
    get faults() {
      return need().faults
    },
    get recorder() {
      return need().recorder
    },
    inject: request => inject(need().handler, request)
  }
}
