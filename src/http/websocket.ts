/** Watches over WebSocket: one message per event, as browsers and proxies want them. The one file that knows `ws`. */
import type http from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import type { Response, Sink } from '../request/context.js'

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'
/** Those who watch have nothing to say. */
const maxMessageBytes = 4096

export const isWebSocket = ({ method, headers }: http.IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

const protocolsOf = (headers: http.IncomingHttpHeaders): string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map(protocol => protocol.trim())
    .filter(Boolean)

/**
 * The headers with the token that came as a subprotocol, because browsers cannot set an Authorization header. It must come
 * once and with another subprotocol, which the server can choose; what is not right is no token that anyone knows.
 */
export function withProtocolToken(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const protocols = protocolsOf(headers)
  const tokens = protocols.filter(protocol => protocol.startsWith(tokenProtocol))
  if (tokens.length === 0 || headers.authorization !== undefined) return headers
  const encoded = tokens[0]!.slice(tokenProtocol.length)
  const valid = tokens.length === 1 && protocols.length > 1 && /^[\w-]+$/.test(encoded)
  const token = valid ? Buffer.from(encoded, 'base64url').toString() : ''
  return { ...headers, authorization: `Bearer ${/^[\x21-\x7e]+$/.test(token) ? token : 'malformed'}` }
}

/**
 * A page of another site must not watch with the certificate that the browser shows by itself; with a token of its own it may.
 */
export function isForeignPage(headers: http.IncomingHttpHeaders): boolean {
  const { origin, host } = headers
  if (origin === undefined || withProtocolToken(headers).authorization !== undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

let sockets: Promise<WebSocketServer> | undefined

/** Loaded when the first client wants it: most servers never see one. */
async function loadSockets(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: protocols => [...protocols].find(protocol => !protocol.startsWith(tokenProtocol)) ?? false
  })
}

/** Takes the connection over for a streamed response. */
export async function streamOverWebSocket(
  response: Response,
  message: http.IncomingMessage,
  socket: Duplex,
  head: Buffer
): Promise<void> {
  const server = await (sockets ??= loadSockets())
  const binary = !/json|yaml/.test(String(response.headers['content-type']))
  server.handleUpgrade(message, socket, head, webSocket => {
    // A message that is too long ends the connection; 'close' follows.
    webSocket.on('error', () => {})
    const sink: Sink = {
      messages: true,
      write(chunk) {
        webSocket.send(chunk, { binary })
        return !socket.writableNeedDrain
      },
      onDrain: listener => void socket.on('drain', listener),
      onClose: listener => void webSocket.once('close', listener),
      end: () => webSocket.close(1000)
    }
    response.stream!(sink)
  })
}
