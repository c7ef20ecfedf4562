/** Fetches an issuer's documents over HTTPS, trusting the issuer's own authority, with Go's words for what goes wrong. */

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { systemAuthorities } from '../../../transport/certificates/system-authorities.js'
import type { Connect } from '../../../transport/egress/egress-selector.js'
import { asGoError } from '../../../transport/webhooks/go-errors.js'
import { goQuote } from '../../../util/go-format.js'
import { readLimited } from '../../../util/read-limited.js'

export interface Answer {
  readonly status: number
  /** The status as in the answer's first line: `404 Not Found`. */
  readonly statusLine: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** No answer came. The message is that of Go's client, including the URL. */
export class FetchError extends Error {}

const timeoutMs = 30_000
const maxRedirections = 10
/** The most bytes of an answer, which is parsed at once. Go's client has no such limit. */
const maxBytes = 1024 * 1024
/** The most characters of an answer in an error. */
const maxExcerpt = 2000

/** Returns as much of an answer as an error should show. */
export const excerpt = (text: string): string => (text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}…` : text)

type Connection = Awaited<ReturnType<typeof connect>>

export class IssuerClient {
  readonly #authorities: string | undefined
  readonly #egress: Connect | undefined
  #connection: Promise<Connection> | undefined
  readonly #stopping = new AbortController()

  /**
   * `authorities`: PEM of those that the issuer's certificate may come from; those of the machine when it is undefined. `egress` leads to
   * the issuer, where that is not direct.
   */
  constructor(authorities: string | undefined, egress?: Connect) {
    this.#authorities = authorities
    this.#egress = egress
  }

  async get(url: string, token?: string): Promise<Answer> {
    try {
      this.#connection ??= connect(this.#authorities, this.#egress)
      const { dispatcher, request } = await this.#connection
      const answer = await request(url, {
        dispatcher,
        headers: token ? { authorization: `Bearer ${token}` } : {},
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)])
      })
      const status = answer.statusCode
      const statusLine = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
      return { status, statusLine, headers: answer.headers, text: (await readLimited(answer.body, maxBytes)).toString() }
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
async function connect(authorities: string | undefined, egress: Connect | undefined) {
  const { Agent, buildConnector, interceptors, request } = await import('undici')
  const ca = authorities ?? (await systemAuthorities())
  const tls = { secureContext: createSecureContext(ca === undefined ? {} : { ca }) }
  const agent = new Agent({ connect: egress ? connectorThrough(egress, buildConnector(tls)) : tls })
  return { request, dispatcher: agent.compose(interceptors.redirect({ maxRedirections })) }
}

/** Makes a connector that opens connections through `egress`, and speaks TLS over them. */
const connectorThrough =
  (egress: Connect, secured: buildConnector.connector): buildConnector.connector =>
  (options, opened) => {
    const isSecure = options.protocol === 'https:'
    egress(options.hostname.replace(/^\[|\]$/g, ''), Number(options.port || (isSecure ? 443 : 80))).then(
      socket => (isSecure ? secured({ ...options, httpSocket: socket as Socket }, opened) : opened(null, socket as Socket)),
      error => opened(error as Error, null)
    )
  }
