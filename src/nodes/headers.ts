/** The headers of requests and answers that a proxy passes on. */
import type { IncomingMessage } from 'node:http'
import type { RequestContext } from '../request/context.js'

/** Headers that concern one connection only. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])

/** Headers that show who the client is. They were for this server, and nobody else gets them. */
const isCredential = (name: string): boolean =>
  name === 'authorization' || name.startsWith('impersonate-') || /^x-remote-(?:user|uid|group|extra-.*)$/.test(name)

const tokenProtocol = /(?:^|,)\s*base64url\.bearer\.authorization\.k8s\.io\.[^,]*/g

export interface HeaderChanges {
  /** Whether the headers of an upgrade are passed on, too. */
  readonly upgrades: boolean
  /** Names, in lower case, that are left out. */
  readonly without?: readonly string[]
  /** Names and values in turn. */
  readonly added?: readonly string[]
}

/** Returns the headers of a client's request for another server: names and values in turn. */
export function requestHeaders({ request }: RequestContext, { upgrades, without = [], added = [] }: HeaderChanges): string[] {
  const raw = request.rawHeaders()
  const dropped = new Set(upgrades ? without : [...without, ...ofConnection, ...namedBy(raw)])
  const forwardedFor: string[] = []
  const headers: string[] = []
  let host: string | undefined
  let hasAgent = false
  for (let at = 0; at < raw.length; at += 2) {
    const [given, value] = [raw[at]!, raw[at + 1]!]
    const name = given.toLowerCase()
    if (name === 'user-agent') hasAgent = true
    if (name === ':authority' || name === 'host') host ??= value
    else if (name === 'x-forwarded-for') forwardedFor.push(value)
    else if (name === 'sec-websocket-protocol' && !dropped.has(name)) {
      const left = value.replace(tokenProtocol, '').replace(/^\s*,\s*/, '')
      if (left !== '') headers.push(given, left)
    } else if (!name.startsWith(':') && !isCredential(name) && !dropped.has(name)) headers.push(given, value)
  }
  // as Go's client names itself
  if (upgrades && !hasAgent) headers.push('User-Agent', 'Go-http-client/1.1')
  forwardedFor.push(request.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''))
  return ['Host', host ?? '', ...headers, 'X-Forwarded-For', forwardedFor.join(', '), ...added]
}

/** Returns the headers that the Connection header names. */
function namedBy(raw: readonly string[]): string[] {
  const named: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]!.toLowerCase() === 'connection') named.push(...raw[at + 1]!.split(',').map(name => name.trim().toLowerCase()))
  return named
}

/** Returns the headers of another server's answer for the client. */
export function answerHeaders({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const dropped = new Set([...ofConnection, ...namedBy(rawHeaders)])
  const headers = new Map<string, string | string[]>()
  // kube-apiserver's own is sent beside the other server's
  headers.set('cache-control', 'no-cache, private')
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!]
    if (dropped.has(name)) continue
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value])
  }
  return Object.fromEntries(headers)
}
