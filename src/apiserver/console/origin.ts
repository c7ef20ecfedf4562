/** Whose requests the console takes: those of this machine, for its own hosts, from its own pages. */
import { isIP } from 'node:net'
import type { IncomingRequest } from '../../apimachinery/request/message.js'
import { StatusError } from '../../apimachinery/status/status.js'

type Headers = IncomingRequest['headers']

/** Whether a connection comes from this machine. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** Returns the host of a Host header in lower case, without its port and the brackets of an IPv6 address; undefined for what is no host. */
export function hostOf({ host }: Headers): string | undefined {
  const [, name, address] = /^(?:([^:[\]]+)|\[([^\]]+)\])(?::\d{1,5})?$/.exec(typeof host === 'string' ? host : '') ?? []
  return (name ?? address)?.toLowerCase().replace(/\.$/, '')
}

/**
 * Whether a request for the host may be answered. `isNamed` tells the names of the server. A name of others may lead to this server's address:
 * the browser then takes their page for one of this origin (DNS rebinding). An address is nobody's name.
 */
export function isOwnHost(headers: Headers, isNamed: (host: string) => boolean): boolean {
  const host = hostOf(headers)
  return host !== undefined && (isIP(host) !== 0 || host === 'localhost' || isNamed(host))
}

/** Whether a browser sent the request for a page of another origin. Pages cannot set these headers; programs send none of them. */
export function isOfOtherOrigin({ origin, host, 'sec-fetch-site': site }: Headers, scheme: 'http' | 'https'): boolean {
  if (site !== undefined && site !== 'same-origin') return true
  return origin !== undefined && String(origin).toLowerCase() !== `${scheme}://${String(host).toLowerCase()}`
}

const failure = (code: number, reason: string, message: string): StatusError =>
  new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code })

export const misdirected = (): StatusError => failure(421, 'Misdirected', 'this server does not have the host that was asked for')

export const otherOrigin = (): StatusError => failure(403, 'Forbidden', 'a page of another origin may not do this')
