/** Fetches documents of an issuer over HTTPS, with an authority of its own, and with Go's words for what goes wrong. */
import { STATUS_CODES } from 'node:http'
import { createSecureContext } from 'node:tls'
import { systemAuthorities } from '../../certificates/system-authorities.js'
import { goQuote } from '../../util/go-format.js'
import { asGoError } from '../../webhooks/go-errors.js'

export interface Answer {
  readonly status: number
  /** As in the answer's first line: `404 Not Found`. */
  readonly statusLine: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** The answer did not come. The message is that of Go's client, URL included. */
export class FetchError extends Error {}

const timeoutMs = 30_000
const maxRedirections = 10
/** Go's client has no such limit. */
const maxBytes = 4 * 1024 * 1024

type Connection = Awaited<ReturnType<typeof connect>>

export class IssuerClient {
  readonly #authorities: string | undefined
  #connection: Promise<Connection> | undefined
  readonly #stopping = new AbortController()

  /** `authorities`: PEM of those that the issuer's certificate may come from; those of the machine when it is undefined. */
  constructor(authorities: string | undefined) {
    this.#authorities = authorities
  }

  async get(url: string, token?: string): Promise<Answer> {
    try {
      this.#connection ??= connect(this.#authorities)
      const { dispatcher, request } = await this.#connection
      const answer = await request(url, {
        dispatcher,
        headers: token ? { authorization: `Bearer ${token}` } : {},
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)])
      })
      const status = answer.statusCode
      const statusLine = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
      return { status, statusLine, headers: answer.headers, text: await readLimited(answer.body) }
    } catch (error) {
      throw new FetchError(`Get ${goQuote(url)}: ${asGoError(error)}`)
    }
  }

  close(): void {
    this.#stopping.abort()
    this.#connection?.then(({ dispatcher }) => dispatcher.destroy()).catch(() => {})
  }
}

/** Loads undici with the first request. */
async function connect(authorities: string | undefined) {
  const { Agent, interceptors, request } = await import('undici')
  const ca = authorities ?? (await systemAuthorities())
  const agent = new Agent({ connect: { secureContext: createSecureContext(ca === undefined ? {} : { ca }) } })
  return { request, dispatcher: agent.compose(interceptors.redirect({ maxRedirections })) }
}

async function readLimited(body: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) {
      body.destroy()
      throw new Error(`the answer is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
