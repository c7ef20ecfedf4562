/** Makes the links in an answer lead back through the proxy. */
import type { IncomingMessage } from 'node:http'
import { posix } from 'node:path'
import type { DialTarget } from '../registry/services.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import { internalError } from '../status/status.js'
import { hostAndPort } from '../util/url-parts.js'

interface Proxied {
  readonly target: DialTarget
  readonly path: string
}

/** Headers by which a server shares its answers with pages of other origins: they are not this server's rules. */
const ofSharing = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin'
]

export class Rewriter {
  /** The path of the proxy itself: in front of the other server's paths. */
  readonly #prefix: string
  readonly #hosts: ReadonlySet<string>
  /** The path by which the client asked, as the other server is told. */
  readonly forwardedUri: string

  constructor(context: RequestContext, { target, path }: Proxied) {
    const asked = context.info.path
    const suffix = decodeURIComponent(path)
    this.#prefix = suffix !== '' && asked.endsWith(suffix) ? asked.slice(0, -suffix.length) : asked
    this.#hosts = new Set([
      '',
      hostAndPort(target.host, target.port),
      context.header('host') ?? context.header(':authority') ?? ''
    ])
    const whole = posix.join(this.#prefix, path)
    this.forwardedUri = path.endsWith('/') && !whole.endsWith('/') ? `${whole}/` : whole
  }

  /** Returns the link for the client; links to other hosts and relative ones stay as they are. Throws for what is no URL. */
  link(given: string): string {
    const [, authority, path = '', rest = ''] = /^(?:(?:https?:)?\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(given)!
    if (!this.#hosts.has(authority ?? '') || !path.startsWith('/')) return given
    if (path.startsWith(this.#prefix)) return path + rest
    const joined = posix.join(this.#prefix, path)
    return (path.endsWith('/') && !joined.endsWith('/') ? `${joined}/` : joined) + rest
  }

  rewrite(response: Response, { headers: { location } }: IncomingMessage): Response {
    const { headers } = response
    for (const name of ofSharing) delete headers[name]
    if (location === undefined) return response
    if (/[\p{Cc}]|%(?![\da-f]{2})/iu.test(location))
      throw internalError(`error trying to parse Location header: parse ${JSON.stringify(location)}: invalid URL`)
    headers.location = this.link(location)
    return response
  }
}
