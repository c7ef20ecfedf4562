/**
 * Requests of web pages that are not this server's own. A browser adds a client certificate to them by itself, and asks this server beforehand
 * (CORS) only for some of them, and never for a WebSocket.
 */
import type { RequestContext } from './context.js'
import type { IncomingRequest } from './message.js'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a method changes nothing (RFC 9110, 9.2.1). */
export const isSafe = (method: string): boolean => safeMethods.has(method)

/**
 * Whether a page of another origin asks for more than an answer that it cannot see: with an unsafe method, or for a connection in both
 * directions. Not so for origins that --cors-allowed-origins names.
 */
export function isForeignPage({ request, isOriginAllowed }: Pick<RequestContext, 'request' | 'isOriginAllowed'>): boolean {
  if (isOriginAllowed || (isSafe(request.method) && request.upgrade === undefined)) return false
  return isFromElsewhere(request.headers)
}

function isFromElsewhere({ origin, host, 'sec-fetch-site': site }: IncomingRequest['headers']): boolean {
  // pages cannot set these headers. A proxy between them and this server may have changed the host, but not what the browser knows
  if (site === 'same-origin' || (site === 'none' && origin === undefined)) return false
  if (site !== undefined) return true
  return origin !== undefined && !isOwn(origin, host)
}

/** Compares scheme, host and port. What is no origin, `null` too, is nobody's. */
function isOwn(origin: string | string[], host: string | string[] | undefined): boolean {
  if (typeof origin !== 'string' || typeof host !== 'string' || !URL.canParse(origin)) return false
  const asked = `https://${host}`
  return new URL(origin).origin === origin.toLowerCase() && URL.canParse(asked) && new URL(asked).origin === origin.toLowerCase()
}
