/** Makes the links in an answer lead back through the proxy, as apimachinery's proxy transport does. */
import type { IncomingMessage } from 'node:http'
import { posix } from 'node:path'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { baseOf, type Response } from '../../apimachinery/request/message.js'
import { internalError } from '../../apimachinery/status/status.js'
import { hostAndPort } from '../../util/url-parts.js'
import { withLinks } from './html-links.js'
import { streamBody } from './stream-body.js'
import type { Upstream } from './upstream.js'

export class Links {
  /** The path of the proxy itself, which stands before the other server's paths. */
  readonly #prefix: string
  /** The host that the client used, or this server in its place. */
  readonly #asked: string
  readonly #address: string
  /** What links to the other server begin with: its own URL if the client knows it by that, otherwise nothing. */
  readonly #origin: string
  /** Headers that tell the other server the path and the origin by which the client asked: names and values in turn. */
  readonly forwardedHeaders: readonly string[]

  constructor(context: RequestContext, { target, path, identity }: Upstream) {
    const asked = baseOf(context.request) + context.info.path
    const suffix = decodeURIComponent(path)
    this.#prefix = identity ? '' : suffix !== '' && asked.endsWith(suffix) ? asked.slice(0, -suffix.length) : asked
    this.#address = hostAndPort(target.host, target.port)
    this.#asked = identity?.host ?? context.header('host') ?? context.header(':authority') ?? ''
    this.#origin = identity ? `${target.scheme}://${this.#address}` : ''
    const forwarded = ['X-Forwarded-Uri', joined(this.#prefix, path)]
    if (identity) forwarded.push('X-Forwarded-Host', this.#address, 'X-Forwarded-Proto', target.scheme)
    this.forwardedHeaders = forwarded
  }

  /** Returns the link for the client, as Go writes URLs; links to other hosts and relative ones stay as they are. */
  link(given: string): string {
    const [, scheme = '', authority, asGiven = '', rest = ''] = /^(?:((?:https?:)?\/\/)([^/?#]*))?([^?#]*)(.*)$/is.exec(given)!
    const host = authority ?? ''
    const isElsewhere = host !== '' && host !== this.#address && host !== this.#asked
    const path = asGiven.replace(notInPath, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    if (isElsewhere || !path.startsWith('/')) return given.replace(asGiven, () => path)
    const origin = host === this.#asked && this.#origin === '' ? scheme + host : this.#origin
    return origin + (path.startsWith(this.#prefix) ? path : joined(this.#prefix, path)) + rest
  }

  /** Rewrites the answer that `head` begins. */
  rewrite(response: Response, head: IncomingMessage): Response {
    const { location } = head.headers
    if (location !== undefined) {
      if (isInvalid(location))
        throw internalError(`error trying to parse Location header: parse ${JSON.stringify(location)}: invalid URL`)
      response.headers.location = this.link(location)
      return response
    }
    if (!/^\s*text\/html\s*(?:;|$)/.test(head.headers['content-type'] ?? '')) return response
    const body = withLinks(head, head.headers['content-encoding'] ?? '', url => (isInvalid(url) ? url : this.link(url)))
    if (body === head) return response
    delete response.headers['content-length']
    return { ...response, stream: sink => streamBody(body, sink) }
  }
}

/** Whether Go could not parse a URL, in which each letter is a byte. */
const isInvalid = (url: string): boolean =>
  [...url].some(letter => letter < ' ' || letter === '\x7f') || /%(?![\da-f]{2})/i.test(url.replace(/\?[^#]*/, ''))

/** Matches what the path of a URL cannot contain. Each letter is a byte. */
const notInPath = /[ "<>\\^`{|}\x80-\xff]/g

/** Joins two paths, and keeps the slash at the end. */
function joined(prefix: string, path: string): string {
  const whole = posix.join(prefix, path)
  return path.endsWith('/') && !whole.endsWith('/') ? `${whole}/` : whole
}
