/** Calls webhooks: JSON over HTTPS to the server that a client configuration names. */
import type { WebhookClientConfig } from '../api/generated/admissionregistration-v1.js'
import { exactJson, parseExact } from '../util/exact-json.js'
import type { Connections } from './connections.js'
import { asGoError } from './go-errors.js'
import type { ResolveService } from './service-resolver.js'

/** Bytes that an answer may have. */
const maxAnswerBytes = 16 * 1024 * 1024

/** The call did not come about, or its answer is none. The message is what Go's client says, URL included. */
export class WebhookCallError extends Error {}

export class WebhookClient {
  readonly #resolve: ResolveService
  #connections: Promise<Connections> | undefined

  constructor(resolve: ResolveService) {
    this.#resolve = resolve
  }

  /**
   * Posts `body` and resolves with the parsed answer. `timeoutMs` is told to the server, too. Rejects with WebhookCallError.
   */
  async call(config: WebhookClientConfig, body: unknown, timeoutMs: number): Promise<unknown> {
    const connections = await this.#open()
    const { url, dispatcher } = connections.target(config)
    const asked = new URL(url)
    asked.searchParams.set('timeout', `${timeoutMs / 1000}s`)
    const failed = (why: string) => new WebhookCallError(`Post ${JSON.stringify(asked.href)}: ${why}`)
    let statusCode: number
    let text: string
    try {
      const answer = await connections.request(asked, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: exactJson(body),
        signal: AbortSignal.timeout(timeoutMs)
      })
      statusCode = answer.statusCode
      text = await readLimited(answer.body)
    } catch (error) {
      throw failed(asGoError(error))
    }
    if (statusCode < 200 || statusCode > 206) throw new WebhookCallError(refusal(statusCode, text))
    try {
      return parseExact(text)
    } catch (error) {
      throw new WebhookCallError(`the answer is no JSON: ${(error as Error).message}`)
    }
  }

  /** Most servers call no webhook, and the HTTP client takes 15 MB and 60 ms. */
  #open(): Promise<Connections> {
    this.#connections ??= import('./connections.js').then(({ Connections }) => new Connections(this.#resolve))
    return this.#connections
  }

  close(): void {
    void this.#connections?.then(connections => connections.close())
  }
}

async function readLimited(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxAnswerBytes) {
      body.destroy()
      throw new Error(`the answer is larger than ${maxAnswerBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A Status in the answer speaks for itself; otherwise it is the server that gets blamed. */
function refusal(code: number, text: string): string {
  try {
    const status = JSON.parse(text) as { kind?: string; message?: string }
    if (status.kind === 'Status' && status.message) return status.message
  } catch {
    // not a Status
  }
  if (code === 404) return 'the server could not find the requested resource'
  if (code === 503) return 'the server is currently unable to handle the request'
  if (code >= 500)
    return `an error on the server (${JSON.stringify(text.slice(0, 2048).trim())}) has prevented the request from succeeding`
  return `the server responded with the status code ${code} but did not return more information`
}
