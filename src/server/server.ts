/** The server as an object that a program creates, starts and stops. */
import { kubeconfigText } from '../certificates/kubeconfig.js'
import { type InjectedRequest, type InjectedResponse, inject } from '../chain/inject.js'
import type { ServerOptions } from '../options.js'
import { type RunningServer, startServer } from './start.js'

export interface BinnacleServer {
  /** Resolves when the server answers requests. Rejects with a UserError for problems that the user can fix. */
  start(): Promise<void>
  /** Lets active requests end, closes watches, and writes everything to disk. Idempotent. */
  stop(): Promise<void>
  /** `https://127.0.0.1:6443` */
  readonly url: string
  /** An admin's kubeconfig, as text. */
  kubeconfig(): string
  /** PEM of the certificate that clients have to trust. */
  readonly caCertificate: string
  /** Sends a request through the whole handler chain without a connection. */
  inject(request: InjectedRequest): Promise<InjectedResponse>
}

/**
 * Makes a server. It opens nothing before `start` and leaves nothing running after `stop`.
 *
 * @example
 * const server = createServer()
 * await server.start()
 * fs.writeFileSync('kubeconfig', server.kubeconfig())
 * await server.stop()
 */
export function createServer(options: ServerOptions = {}): BinnacleServer {
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
    inject: request => inject(need().handler, request)
  }
}
