/** The headers of requests and answers that pass through a proxy (RFC 9110, 7.6). */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { IncomingRequest } from '../request/message.js'
import type { UserInfo } from '../request/user.js'

export type ProxiedHeaders = Record<string, string | string[]>

/** Headers that are about one connection only. */
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

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/**
 * Returns the client's headers for another server: without those of the connection, of the client's credentials, of impersonation and
 * of a user that the client claims to be.
 */
export function requestHeaders(request: IncomingRequest): ProxiedHeaders {
  const raw = request.rawHeaders()
  const dropped = namedBy(request.headers.connection)
  const headers: Record<string, string | string[]> = Object.create(null)
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    if (name[0] === ':' || name === 'host' || ofConnection.has(name) || dropped.has(name) || isCredential(name)) continue
    add(headers, name, raw[i + 1]!)
  }
  const protocols = headers['sec-websocket-protocol']
  if (protocols !== undefined) {
    // the token of a browser comes as a protocol
    const kept = [protocols]
      .flat()
      .flatMap(list => list.split(','))
      .map(protocol => protocol.trim())
      .filter(protocol => protocol !== '' && !protocol.startsWith(tokenProtocol))
    if (kept.length > 0) headers['sec-websocket-protocol'] = kept.join(', ')
    else delete headers['sec-websocket-protocol']
  }
  if (request.upgrade !== undefined) {
    headers.connection = 'Upgrade'
    headers.upgrade = request.headers.upgrade ?? request.upgrade
  }
  return headers
}

const isCredential = (name: string): boolean =>
  name === 'authorization' || name.startsWith('impersonate-') || name.startsWith('x-remote-') || name.startsWith(':')

/** Tells the other server where the client and the request came from. */
export function addForwarded(headers: ProxiedHeaders, request: IncomingRequest, isUpgrade: boolean, uri: string): void {
  const before = headers['x-forwarded-for']
  const client = request.remoteAddress
  if (client !== '') headers['x-forwarded-for'] = [...(before === undefined ? [] : [before].flat()), client].join(', ')
  if (isUpgrade) return
  headers['x-forwarded-uri'] = uri
  const host = request.headers[':authority'] ?? request.headers.host
  if (typeof host === 'string' && host !== '') headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = 'https'
}

/** Names the user as an authenticating proxy does: the other server trusts the headers for the proxy's client certificate. */
export function addUser(headers: ProxiedHeaders, { name, uid, groups, extra }: UserInfo): void {
  headers['x-remote-user'] = headerText(name)
  if (uid) headers['x-remote-uid'] = headerText(uid)
  if (groups.length > 0) headers['x-remote-group'] = groups.map(headerText)
  for (const [key, values] of Object.entries(extra ?? {}))
    if (values.length > 0) headers[`x-remote-extra-${escapedKey(key)}`] = values.map(headerText)
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

/** Returns the headers of another server's answer for the client. Its own rules about origins are not this server's. */
export function answerHeaders({ headers: given, rawHeaders: raw }: IncomingMessage): ProxiedHeaders {
  const dropped = namedBy(given.connection)
  const headers: Record<string, string | string[]> = Object.create(null)
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    if (ofConnection.has(name) || dropped.has(name) || name.startsWith('access-control-')) continue
    add(headers, name, raw[i + 1]!)
  }
  return { ...headers }
}

function add(headers: OutgoingHttpHeaders, name: string, value: string): void {
  const before = headers[name]
  headers[name] = before === undefined ? value : [...[before as string | string[]].flat(), value]
}

/** The headers that the sender names as those of the connection. */
function namedBy(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined) return none
  return new Set([connection].flat().flatMap(list => list.split(',').map(name => name.trim().toLowerCase())))
}

const none: ReadonlySet<string> = new Set()
