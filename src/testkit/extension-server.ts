/** Runs a small extension API server on a local port, for tests: HTTPS, discovery of one group version, and a handler for the rest. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { loadOrCreatePki } from '../transport/certificates/pki.js'

export interface ExtensionServer {
  readonly address: string
  readonly port: number
  /** PEM in base64. */
  readonly caBundle: string
  /** Answers requests; a test may replace it. */
  handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly server: Server
  close(): Promise<void>
}

export interface ExtensionServerOptions {
  readonly names?: readonly string[]
  /** Any when left out. */
  readonly port?: number
  readonly tls?: ServerOptions
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export async function startExtensionServer(
  handle: ExtensionServer['handle'],
  { names = ['api.wardle.svc'], port: wanted = 0, tls = {}, upgrade }: ExtensionServerOptions = {}
): Promise<ExtensionServer> {
  const { serving } = await loadOrCreatePki({ servingNames: [...names], now: Date.now() })
  const server = createHttpsServer({ cert: serving.certificate, key: serving.key, ...tls }, (request, response) =>
    extension.handle(request, response)
  ) as unknown as Server
  if (upgrade) server.on('upgrade', upgrade)
  const sockets = new Set<Duplex>()
  server.on('secureConnection', (socket: Duplex) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => void server.listen(wanted, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const extension: ExtensionServer = {
    address: `127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(serving.trust).toString('base64'),
    handle,
    server,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  return extension
}

export const answerJson = (response: ServerResponse, object: unknown, status = 200, type = 'application/json'): void => {
  response.writeHead(status, { 'content-type': type })
  response.end(JSON.stringify(object))
}

export const peerName = (request: IncomingMessage): string | undefined => {
  const name: unknown = (request.socket as TLSSocket).getPeerCertificate().subject?.CN
  return typeof name === 'string' ? name : undefined
}
