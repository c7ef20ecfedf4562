/** What kube-apiserver demands of the handshake of a WebSocket for a stream of its own, beyond what the protocol does. */
import type { Response } from '../../apimachinery/request/message.js'
import { isRequestUri } from '../../util/go-url.js'

type Headers = Readonly<Record<string, string | undefined>>

/** How the bytes of a log may come. */
export const logProtocols: readonly string[] = ['binary.k8s.io', 'base64.binary.k8s.io']

/** What is written in place of the switch. */
const forbidden = 'HTTP/1.1 403 Forbidden\r\n\r\n'
const ambiguous = 'HTTP/1.1 400 Bad Request\r\n\r\n'
const noKey = 'HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response'
const otherVersion = 'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version'

/** Whether a stream has bytes and not events. */
export const isLog = ({ headers }: Pick<Response, 'headers'>): boolean => /^text\/plain/.test(String(headers['content-type']))

/** The protocols that a client offers, those without a name included, as kube-apiserver counts them. */
export function offeredProtocols({ 'sec-websocket-protocol': header = '' }: Headers): string[] {
  return header.trim() === '' ? [] : header.split(',').map(protocol => protocol.trim())
}

/**
 * Returns the answer that refuses a handshake; undefined where there is no reason to. `offered`: the protocols of the client but for its token.
 * Events go only to a client that says where its page comes from, whatever that is, and that leaves no choice of a protocol.
 */
export function streamRefusal(
  response: Pick<Response, 'headers'>,
  headers: Headers,
  offered: readonly string[]
): string | undefined {
  if (!headers['sec-websocket-key']) return noKey
  if (headers['sec-websocket-version'] !== '13') return otherVersion
  if (isLog(response)) return offered.length === 0 || offered.some(one => logProtocols.includes(one)) ? undefined : forbidden
  if (!isRequestUri(headers.origin ?? '')) return forbidden
  return offered.length > 1 ? ambiguous : undefined
}
