/** Opens WebSockets. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { OpenWebSocket } from '../transport.js'

/** The most bytes of a message; kube-apiserver's are far smaller. */
const maxMessageBytes = 16 * 1024 * 1024
const maxRefusalBytes = 64 * 1024

export interface WebSocketRequest {
  readonly host: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly protocols: readonly string[]
}

/** The answer of a server that does not switch to WebSocket. */
export interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly text: string
}

/** Speaks WebSocket over a connection that is there already. */
export async function openWebSocket(
  socket: Socket,
  request: WebSocketRequest
): Promise<OpenWebSocket | { readonly refused: Refused }> {
  const { WebSocket, createWebSocketStream } = await import('ws')
  const { host, path, headers, protocols } = request
  return new Promise((resolve, reject) => {
    let protocol = ''
    const webSocket = new WebSocket(`ws://${host}${path}`, [], {
      headers: headers as Record<string, string>,
      createConnection: (() => socket) as never,
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
      // `ws` refuses protocols with a slash, which Kubernetes has: SPDY/3.1+portforward.k8s.io
      finishRequest(asked: ClientRequest) {
        asked.setHeader('Sec-WebSocket-Protocol', protocols.join(', '))
        asked.prependListener('upgrade', (answer: IncomingMessage) => {
          protocol = answer.headers['sec-websocket-protocol'] ?? ''
          delete answer.headers['sec-websocket-protocol']
        })
        asked.end()
      }
    } as object)
    webSocket.on('error', reject)
    webSocket.on('unexpected-response', (_, answer) => {
      read(answer).then(text => {
        const refused = { status: answer.statusCode ?? 0, headers: answer.headers as Refused['headers'], text }
        resolve({ refused })
        socket.destroy()
      }, reject)
    })
    webSocket.on('open', () => {
      if (!protocols.includes(protocol)) {
        webSocket.terminate()
        return reject(new Error(`the server speaks none of the protocols ${protocols.join(', ')}`))
      }
      const connection: Duplex = createWebSocketStream(webSocket, { readableObjectMode: true, decodeStrings: false })
      // without a listener, an error would end the process
      connection.on('error', () => {})
      resolve({ protocol, connection })
    })
  })
}

async function read(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) {
    text += piece
    if (text.length > maxRefusalBytes) break
  }
  return text
}
