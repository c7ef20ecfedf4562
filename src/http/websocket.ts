/**
 * WebSocket: watches with one message per event, as browsers and proxies want them, and connections in both directions. The one file
 * that knows `ws`.
 */
import type http from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Answer, Sink } from '../request/message.js'

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'
/** Clients that watch have nothing to say. */
const maxWatcherMessageBytes = 4096
const maxMessageBytes = 4 * 1024 * 1024

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

/** Loaded when the first client wants it: most servers never see one. */
const webSockets = () => import('ws')

/** Takes the connection over for a streamed response, or for one in both directions. */
export async function answerOverWebSocket(
  response: Answer,
  message: http.IncomingMessage,
  socket: Duplex,
  head: Buffer
): Promise<void> {
  const { WebSocketServer, createWebSocketStream } = await webSockets()
  const { stream, upgrade } = response
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: stream ? maxWatcherMessageBytes : (upgrade?.maxMessageBytes ?? maxMessageBytes),
    handleProtocols: offered => chosenProtocol(offered, upgrade?.protocols) ?? false
  })
  server.handleUpgrade(message, socket, head, webSocket => {
    // A message that is too long ends the connection; 'close' follows.
    webSocket.on('error', () => {})
    webSocket.once('close', response.ended)
    if (stream) return stream(sinkOf(webSocket, socket, !/json|yaml/.test(String(response.headers['content-type']))))
    // one chunk is one message: a text is a string, anything else a buffer
    const connection = createWebSocketStream(webSocket, { readableObjectMode: true, decodeStrings: false })
    // an endpoint that listens to no errors must not end the process
    connection.on('error', () => connection.destroy())
    return upgrade!.open(connection, webSocket.protocol)
  })
}

/** The first of the client's protocols that the endpoint speaks; of a watch any but the one that holds the token. */
function chosenProtocol(offered: ReadonlySet<string>, spoken: readonly string[] | undefined): string | undefined {
  return [...offered].find(protocol => (spoken ? spoken.includes(protocol) : !protocol.startsWith(tokenProtocol)))
}

const sinkOf = (webSocket: WebSocket, socket: Duplex, binary: boolean): Sink => ({
  messages: true,
  write(chunk) {
    webSocket.send(chunk, { binary })
    return !socket.writableNeedDrain
  },
  onDrain: listener => void socket.on('drain', listener),
  onClose: listener => void webSocket.once('close', listener),
  end: () => webSocket.close(1000)
})
