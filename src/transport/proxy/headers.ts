/** The headers of requests and answers that are passed on (RFC 9110, 7.6). */
import type { IncomingMessage } from 'node:http'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { UserInfo } from '../../apimachinery/request/user.js'

/** Headers that concern a single connection. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings'
])

/** Headers by which a server allows pages of other origins to read its answers. Its rules are not those of this server. */
const ofSharing: ReadonlySet<string> = new Set(
  ['credentials', 'headers', 'methods', 'origin'].map(what => `access-control-allow-${what}`)
)

/** The subprotocol of WebSocket in which browsers send a token. */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

export interface HeaderChanges {
  /** The Host header; the client's when left out. */
  readonly host?: string | undefined
  /** Names in lower case of headers that are left out. */
  readonly without?: readonly string[] | undefined
  /** Names and values in turn; they replace the client's. */
  readonly added?: readonly string[] | undefined
}

/**
 * Returns the headers of a client's request for another server: names and values in turn, none of which is about the connection.
 * Whatever the client's Connection header names, the other server sees the host, the framing, the addresses and what is `added`.
 */
export function requestHeaders(
  { request, isCredential }: Pick<RequestContext, 'request' | 'isCredential'>,
  isUpgrade: boolean,
  { host, without = [], added = [] }: HeaderChanges
): string[] {
  const raw = request.rawHeaders()
  // the length is written with the body, by `exchange`
  const dropped = new Set([...without, 'content-length', ...ofConnection, ...namedBy(raw)])
  for (let at = 0; at < added.length; at += 2) dropped.add(added[at]!.toLowerCase())
  const forwardedFor: string[] = []
  const headers: string[] = []
  let asked: string | undefined
  let hasAgent = false
  for (let at = 0; at < raw.length; at += 2) {
    const [given, value] = [raw[at]!, raw[at + 1]!]
    const name = given.toLowerCase()
    if (name === 'user-agent') hasAgent = true
    if (name === ':authority' || name === 'host') asked ??= value
    else if (name === 'x-forwarded-for') forwardedFor.push(value)
    else if (name === 'te' && !isUpgrade && /(?:^|,)\s*trailers\s*(?:,|$)/i.test(value)) headers.push('Te', 'trailers')
    else if (name.startsWith(':') || isCredential(name) || dropped.has(name)) continue
    else if (name === 'sec-websocket-protocol' && value.includes(tokenProtocol)) {
      const left = value.split(',').filter(protocol => !protocol.trim().startsWith(tokenProtocol))
      if (left.length > 0) headers.push(given, left.map(protocol => protocol.trim()).join(','))
    } else headers.push(given, value)
  }
  // the name that Go's client sends
  if (isUpgrade && !hasAgent) headers.push('User-Agent', 'Go-http-client/1.1')
  if (request.remoteAddress !== '') forwardedFor.push(request.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''))
  if (forwardedFor.length > 0) headers.push('X-Forwarded-For', forwardedFor.join(', '))
  return ['Host', host ?? asked ?? '', ...headers, ...added]
}

/** Returns the headers of another server's answer for the client, also its length. */
export function answerHeaders({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const dropped = new Set([...ofConnection, ...ofSharing, ...namedBy(rawHeaders).filter(name => name !== 'content-length')])
  const headers = new Map<string, string | string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!]
    if (dropped.has(name)) continue
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(headers)
}

/** Returns the headers that the Connection header names as belonging to the connection. */
function namedBy(raw: readonly string[]): string[] {
  const named: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.toLowerCase() === 'connection') named.push(...raw[at + 1]!.split(',').map(name => name.trim().toLowerCase()))
  return named
}

/** Names the user as an authenticating proxy does: the other server trusts the headers for the proxy's client certificate. */
export function userHeaders({ name, uid, groups, extra }: UserInfo, namesUid = true): string[] {
  const headers = ['X-Remote-User', headerText(name)]
  if (uid && namesUid) headers.push('X-Remote-Uid', headerText(uid))
  for (const group of groups) headers.push('X-Remote-Group', headerText(group))
  for (const [key, values] of Object.entries(extra ?? {}))
    for (const value of values) headers.push(`X-Remote-Extra-${escapedKey(key)}`, headerText(value))
  return headers
}

/** Node writes headers as Latin-1, and Go reads the bytes as UTF-8. */
const headerText = (value: string): string => (/^[\0-\x7f]*$/.test(value) ? value : Buffer.from(value).toString('latin1'))

/** Escapes the bytes that the name of a header must not have (RFC 7230, token), and `%`. */
const escapedKey = (key: string): string =>
  [...Buffer.from(key)]
    .map(byte => {
      const char = String.fromCharCode(byte)
      return /[!#$&'*+\-.^_`|~\w]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
