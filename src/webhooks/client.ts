/** Calls webhooks: sends JSON over HTTPS to the server that a client configuration names. */
import type { WebhookClientConfig } from '../api/generated/admissionregistration-v1.js'
import { exactJson, parseExact } from '../util/exact-json.js'
import { goQuote } from '../util/go-format.js'
import type { Connections } from './connections.js'
import { asGoError, deadlineExceeded } from './go-errors.js'
import type { ResolveService } from './service-resolver.js'

/** Most bytes of an answer. */
const maxAnswerBytes = 16 * 1024 * 1024

/** The call failed, or its answer is invalid. The message is that of Go's client, URL included. */
export class WebhookCallError extends Error {
  /** The status code of an error answer. */
  readonly code: number | undefined

  constructor(message: string, code?: number) {
    super(message)
    this.code = code
  }
}

export class WebhookClient {
  readonly #resolve: ResolveService
  #connections: Promise<Connections> | undefined

  constructor(resolve: ResolveService) {
    this.#resolve = resolve
  }

  /** Posts `body` and resolves with the parsed answer. Rejects with WebhookCallError. */
  async call(config: WebhookClientConfig, body: unknown, timeoutMs: number): Promise<unknown> {
    const text = await this.post(config, body, timeoutMs)
    try {
      return parseExact(text)
    } catch (error) {
      throw new WebhookCallError(`the answer is no JSON: ${(error as Error).message}`)
    }
  }

  /**
   * Posts `body` and resolves with the text of the answer. The server learns `timeoutMs`, too. Rejects with WebhookCallError, or
   * with the reason of `signal` when that aborts first.
   */
  async post(config: WebhookClientConfig, body: unknown, timeoutMs: number, signal?: AbortSignal): Promise<string> {
    const connections = await this.#open()
    const { url, shown, dispatcher } = connections.target(config)
    const asked = new URL(url)
    asked.searchParams.set('timeout', `${timeoutMs / 1000}s`)
    const failed = (why: string) => new WebhookCallError(`Post ${JSON.stringify(shown + asked.search)}: ${why}`)
    let answer: Awaited<ReturnType<Connections['request']>>
    let text: string
    try {
      answer = await connections.request(asked, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
        body: exactJson(body),
        signal: signal ? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) : AbortSignal.timeout(timeoutMs)
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw failed(asGoError(error))
    }
    try {
      text = await readLimited(answer.body)
    } catch (error) {
      signal?.throwIfAborted()
      const why = asGoError(error)
      if (why === deadlineExceeded) throw failed(why)
      throw new WebhookCallError(
        `unexpected error when reading response body. Please retry. Original error: ${why === 'EOF' ? 'unexpected EOF' : why}`
      )
    }
    const { statusCode, headers } = answer
    const contentType = String(headers['content-type'] ?? '')
    if (statusCode < 200 || statusCode > 206) throw new WebhookCallError(refusal(statusCode, text, contentType), statusCode)
    if (text === '')
      throw new WebhookCallError(`0-length response with status code: ${statusCode} and content type: ${contentType}`)
    return text
  }

  /** Loads the HTTP client on first use: most servers call no webhook, and it takes 15 MB and 60 ms. */
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

const refusals: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request'
}

/** For these status codes Go's client repeats the text of the answer. */
const saysItself: ReadonlySet<number> = new Set([403, 406, 415])

/** Returns the message of a Status in the answer; otherwise an error about the server. */
function refusal(code: number, text: string, contentType: string): string {
  try {
    const status = JSON.parse(text) as { kind?: string; status?: string; message?: string }
    if ((status.kind ?? 'Status') === 'Status' && status.status === 'Failure') return status.message ?? ''
  } catch {
    // the answer is not a Status
  }
  const said = contentType.startsWith('text/') ? text.slice(0, 2048).trim() : 'unknown'
  if (saysItself.has(code)) return said
  if (Object.hasOwn(refusals, code)) return refusals[code]!
  if (code >= 500) return `an error on the server (${goQuote(said)}) has prevented the request from succeeding`
  return `the server responded with the status code ${code} but did not return more information`
}
