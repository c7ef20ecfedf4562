/**
 * WebSocket: watches with one message per event, for browsers and proxies, and connections in both directions.
 */
import type http from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Answer, Sink } from '../../apimachinery/request/message.js'
import { isLog, logProtocols, offeredProtocols, streamRefusal } from './watch-handshake.js'

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'
/** Small, because clients that watch have nothing to send. */
const maxWatcherMessageBytes = 4096
const maxMessageBytes = 4 * 1024 * 1024

/** What a request for a WebSocket says of itself. */
export interface Handshake {
  readonly method: string
  readonly headers: Headers
  /** The protocol to which the client wants to switch, in lower case. */
  readonly upgrade: string | undefined
}

type Headers = Readonly<Record<string, string | undefined>>

export const isWebSocket = ({ method, upgrade }: Pick<Handshake, 'method' | 'upgrade'>): boolean =>
  method === 'GET' && upgrade === 'websocket'

const protocolsOf = (headers: Headers): string[] => offeredProtocols(headers).filter(Boolean)

const isNoToken = (protocol: string): boolean => !protocol.startsWith(tokenProtocol)

/**
 * Returns the headers with a token that came as a subprotocol, because browsers cannot set an Authorization header. It must come
 * once, together with another subprotocol for the server to choose. A wrong one becomes a token that no authenticator knows.
 */
export function withProtocolToken(headers: Headers): Headers {
  const protocols = protocolsOf(headers)
  const tokens = protocols.filter(protocol => protocol.startsWith(tokenProtocol))
  if (tokens.length === 0 || headers.authorization !== undefined) return headers
  const encoded = tokens[0]!.slice(tokenProtocol.length)
  const valid = tokens.length === 1 && protocols.length > 1 && /^[\w-]+$/.test(encoded)
  const token = valid ? Buffer.from(encoded, 'base64url').toString() : ''
  return { ...headers, authorization: `Bearer ${/^[\x21-\x7e]+$/.test(token) ? token : 'malformed'}` }
}

/** Loaded for the first WebSocket client, because most servers never have one. */
const webSockets = () => import('ws')

/** Takes over the connection for a streamed response, or for a connection in both directions. */
export async function answerOverWebSocket(
  response: Answer,
  { method, headers }: Handshake,
  socket: Duplex,
  head: Buffer
): Promise<void> {
  const { stream, upgrade } = response
  const refusal = stream && streamRefusal(response, headers, offeredProtocols(headers).filter(isNoToken))
  if (refusal !== undefined) return void socket.once('finish', () => socket.destroy()).end(refusal)
  const spoken = stream && isLog(response) ? logProtocols : upgrade?.protocols
  const { WebSocketServer, createWebSocketStream } = await webSockets()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: stream ? maxWatcherMessageBytes : (upgrade?.maxMessageBytes ?? maxMessageBytes),
    handleProtocols: offered => chosenProtocol(offered, spoken) ?? false
  })
  // `ws` refuses protocols with a slash, which Kubernetes has: SPDY/3.1+portforward.k8s.io. A watch speaks whatever the client calls it
  const isNamedHere = stream !== undefined || upgrade?.protocols?.some(protocol => protocol.includes('/'))
  const named = isNamedHere ? chosenProtocol(protocolsOf(headers), spoken) : undefined
  const asked = { ...headers }
  if (named !== undefined) {
    delete asked['sec-websocket-protocol']
    server.on('headers', lines => lines.push(`Sec-WebSocket-Protocol: ${named}`))
  }
  // all that `ws` reads of a request
  const message = { method, headers: asked } as http.IncomingMessage
  server.handleUpgrade(message, socket, head, webSocket => {
    // a message that is too long ends the connection; 'close' follows
    webSocket.on('error', () => {})
    if (stream) return stream(sinkOf(webSocket, socket, encodingOf(response, named ?? '')))
    // an end without a code counts as an error for kubectl
    const close = webSocket.close.bind(webSocket)
    webSocket.close = (code = 1000, reason) => close(code, reason)
    // each chunk is one message: a string for a text, else a buffer
    const connection = createWebSocketStream(webSocket, { readableObjectMode: true, decodeStrings: false })
    // without a listener, an error would end the process
    connection.on('error', () => connection.destroy())
    return upgrade!.open(connection, named ?? webSocket.protocol)
  })
}

/** Chooses the first of the client's protocols that the endpoint speaks; for a watch the first that is not the token. */
function chosenProtocol(offered: Iterable<string>, spoken: readonly string[] | undefined): string | undefined {
  return [...offered].find(protocol => (spoken ? spoken.includes(protocol) : isNoToken(protocol)))
}

/** How the bytes of a stream become messages. Objects are texts; logs are bytes, in base64 for those who ask for that. */
function encodingOf(response: Answer, protocol: string): (chunk: Buffer) => Buffer | string {
  if (/json|yaml/.test(String(response.headers['content-type']))) return chunk => chunk.toString()
  return isLog(response) && protocol === 'base64.binary.k8s.io' ? chunk => chunk.toString('base64') : chunk => chunk
}

const sinkOf = (webSocket: WebSocket, socket: Duplex, encode: (chunk: Buffer) => Buffer | string): Sink => ({
  messages: true,
  write(chunk) {
    webSocket.send(encode(chunk))
    return !socket.writableNeedDrain
  },
  onDrain: listener => void socket.on('drain', listener),
  onClose: listener => void webSocket.once('close', listener),
  end: () => webSocket.close(1000),
  abort: () => webSocket.terminate()
})
