/** Runs a webhook on a local port, for tests. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { loadOrCreatePki } from '../certificates/pki.js'

export interface TestWebhook {
  readonly url: string
  readonly host: string
  /** The CA bundle of a client configuration: PEM in base64. */
  readonly caBundle: string
  /** The parsed requests, oldest first. */
  readonly requests: any[]
  close(): Promise<void>
}

/** Starts a webhook whose certificate covers `names` and the loopback address. */
export async function startWebhook(answer: (request: any) => unknown, names: readonly string[] = []): Promise<TestWebhook> {
  const { serving } = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1', ...names], now: Date.now() })
  const requests: any[] = []
  const server = createServer({ cert: serving.certificate, key: serving.key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    requests.push(body)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(body)))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    caBundle: Buffer.from(serving.trust).toString('base64'),
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
