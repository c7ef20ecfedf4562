/** Calls webhooks: JSON over HTTPS to the server that a client configuration names. */

import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { WebhookClientConfig } from '../api/generated/admissionregistration-v1.js'
import { exactJson, parseExact } from '../util/exact-json.js'
import { asGoError } from './go-errors.js'
import type { ResolveService } from './service-resolver.js'

/** Bytes that an answer may have. */
const maxAnswerBytes = 16 * 1024 * 1024
const idleMs = 30_000

/** The call did not come about, or its answer is none. The message is what Go's client says, URL included. */
export class WebhookCallError extends Error {}

interface Target {
  readonly url: URL
  readonly dispatcher: Dispatcher
}

export class WebhookClient {
  readonly #resolve: ResolveService
  /** Connections by configuration: the same authority and server are asked again and again. */
  readonly #targets = new Map<string, Target>()

  constructor(resolve: ResolveService) {
    this.#resolve = resolve
  }

  /**
   * Posts `body` and resolves with the parsed answer. `timeoutMs` is told to the server, too. Rejects with WebhookCallError.
   */
  async call(config: WebhookClientConfig, body: unknown, timeoutMs: number): Promise<unknown> {
    const { url, dispatcher } = this.#target(config)
    const asked = new URL(url)
    asked.searchParams.set('timeout', `${timeoutMs / 1000}s`)
    const failed = (why: string) => new WebhookCallError(`Post ${JSON.stringify(asked.href)}: ${why}`)
    let answer: Dispatcher.ResponseData
    let text: string
    try {
      answer = await request(asked, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: exactJson(body),
        signal: AbortSignal.timeout(timeoutMs)
      })
      text = await readLimited(answer.body)
    } catch (error) {
      throw failed(asGoError(error))
    }
    if (answer.statusCode < 200 || answer.statusCode > 206) throw new WebhookCallError(refusal(answer.statusCode, text))
    try {
      return parseExact(text)
    } catch (error) {
      throw new WebhookCallError(`the answer is no JSON: ${(error as Error).message}`)
    }
  }

  #target(config: WebhookClientConfig): Target {
    const key = JSON.stringify(config)
    let target = this.#targets.get(key)
    if (!target) {
      if (this.#targets.size >= 1000) this.#forget()
      this.#targets.set(key, (target = this.#makeTarget(config)))
    }
    return target
  }

  #makeTarget({ url, service, caBundle }: WebhookClientConfig): Target {
    const ca = caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined
    const connect = { ...(ca === undefined ? {} : { ca }), timeout: idleMs }
    if (!service) return { url: new URL(url!), dispatcher: new Agent({ connect, keepAliveTimeout: idleMs }) }
    const { namespace, name, path = '', port = 443 } = service
    const host = `${name}.${namespace}.svc`
    const dispatcher = new Agent({
      // where a service is can change with every connection
      connect: this.#connector({ ...connect, servername: host }, namespace, name, port),
      keepAliveTimeout: idleMs
    })
    return { url: new URL(`https://${host}:${port}${path.startsWith('/') || path === '' ? path : `/${path}`}`), dispatcher }
  }

  #connector(options: buildConnector.BuildOptions, namespace: string, name: string, port: number): buildConnector.connector {
    const connect = buildConnector(options)
    return (request, callback) => {
      let at: { host: string; port: number }
      try {
        at = this.#resolve(namespace, name, port)
      } catch (error) {
        return callback(error as Error, null)
      }
      connect({ ...request, hostname: at.host, host: at.host, port: String(at.port) }, callback)
    }
  }

  #forget(): void {
    for (const { dispatcher } of this.#targets.values()) void dispatcher.close()
    this.#targets.clear()
  }

  close(): void {
    for (const { dispatcher } of this.#targets.values()) void dispatcher.destroy()
    this.#targets.clear()
  }
}

async function readLimited(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
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
