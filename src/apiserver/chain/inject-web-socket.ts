/** WebSockets without a connection: the messages go to the endpoint as they are. */
import type { InjectedRequest } from '../../apimachinery/request/injected.js'
import { type Handler, type IncomingRequest, wholeBody } from '../../apimachinery/request/message.js'
import { refusal } from '../../client/connection.js'
import type { OpenWebSocket } from '../../client/transport.js'
import { duplexPair } from '../../util/duplex-pair.js'
import { InjectedMessage } from './inject.js'

class UpgradeMessage extends InjectedMessage implements IncomingRequest {
  readonly upgrade = 'websocket'
}

/** Rejects with a StatusError when the server refuses, and with an Error when the endpoint speaks none of the protocols. */
export async function injectWebSocket(
  handler: Handler,
  request: InjectedRequest,
  protocols: readonly string[],
  signal?: AbortSignal
): Promise<OpenWebSocket> {
  signal?.throwIfAborted()
  const [client, server] = duplexPair({ messages: true })
  const headers = {
    ...request.headers,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-protocol': protocols.join(', ')
  }
  const connection = {
    onClose: (listener: () => void) => void server.once('close', listener),
    reset: () => void client.destroy(new Error('the connection was reset'))
  }
  const answer = await handler(new UpgradeMessage({ ...request, headers }, connection))
  server.once('close', () => answer.ended())
  const { upgrade, status, body } = answer
  if (!upgrade) {
    const text = body ? (await wholeBody(body)).toString() : ''
    server.destroy()
    throw refusal(status, answer.headers, text)
  }
  const spoken = upgrade.protocols
  const protocol = spoken ? protocols.find(one => spoken.includes(one)) : ''
  if (protocol === undefined) {
    server.destroy()
    throw new Error(`the server speaks none of the protocols ${protocols.join(', ')}`)
  }
  // whoever uses the connection sees its end
  server.on('error', () => server.destroy())
  const abort = () => void client.destroy(signal!.reason as Error)
  signal?.addEventListener('abort', abort, { once: true })
  client.once('close', () => signal?.removeEventListener('abort', abort))
  upgrade.open(server, protocol)
  return { protocol, connection: client }
}
