/** Runs a webhook on a local port, for tests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { loadOrCreatePki } from '../transport/certificates/pki.js'

export interface TestServer {
  readonly url: string
  readonly host: string
  /** PEM of the authority of its certificate. */
  readonly ca: string
  close(): Promise<void>
}

export interface TestWebhook extends TestServer {
  /** The CA bundle of a client configuration: PEM in base64. */
  readonly caBundle: string
  /** The parsed requests, oldest first. */
  readonly requests: any[]
}

/** Starts an HTTPS server whose certificate covers `names` and the loopback address. `handle` gets the whole body, too. */
export async function startHttps(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>,
  { names = [], ...options }: ServerOptions & { readonly names?: readonly string[] } = {}
): Promise<TestServer> {
  const { serving } = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1', ...names], now: Date.now() })
  const server = createServer({ cert: serving.certificate, key: serving.key, ...options }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    await handle(request, response, Buffer.concat(chunks).toString())
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    ca: serving.trust,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** Starts a webhook that answers with JSON. */
export async function startWebhook(
  answer: (request: any, path: string) => unknown,
  names: readonly string[] = []
): Promise<TestWebhook> {
  const requests: any[] = []
  const server = await startHttps(
    async (request, response, text) => {
      const body = JSON.parse(text)
      requests.push(body)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(await answer(body, request.url!)))
    },
    { names }
  )
  return { ...server, requests, caBundle: Buffer.from(server.ca).toString('base64') }
}
