/** Connections to the ports of Pods: two streams for each, one of data and one that says why there is no connection. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { serveSpdy } from '../../../transport/spdy/server.js'
import { containersOf } from '../container-states.js'
import { chosenProtocol, openChannels } from './channels.js'

/** Opens a connection to a port of the Pod. */
type Connect = (port: number) => Duplex

/** What a client that speaks WebSocket is understood to speak; undefined for none of it. */
export const portProtocol = (request: IncomingMessage): string | undefined =>
  chosenProtocol(request, ['v4.channel.k8s.io', 'v4.base64.channel.k8s.io'])

/** The client opens a pair of streams for each connection: that of errors first. */
export function forwardOverSpdy(socket: Duplex, pod: Pod, connect: Connect): void {
  const errors = new Map<string, Duplex>()
  serveSpdy(socket, stream => {
    const { streamtype, port = '', requestid = '' } = stream.headers
    if (streamtype === 'error') {
      errors.set(requestid, stream.resume())
      return void stream.once('close', () => errors.delete(requestid))
    }
    forward(pod, Number(port), stream, errors.get(requestid), connect)
  })
}

/** The ports that the request names have one connection each. What comes first in each channel is the number of its port. */
export async function forwardOverWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  protocol: string,
  ports: readonly number[],
  pod: Pod,
  connect: Connect
): Promise<void> {
  const { all, end } = await openChannels(request, socket, protocol, ports.length * 2)
  let open = ports.length
  ports.forEach((port, index) => {
    const [data, error] = [all[index * 2]!, all[index * 2 + 1]!]
    for (const channel of [data, error]) channel.write(Buffer.of(port & 0xff, port >> 8))
    error.resume().once('finish', () => {
      open--
      if (open === 0) end()
    })
    forward(pod, port, data, error, connect)
  })
}

/** In a Pod that names its ports, nothing listens on others. */
function forward(pod: Pod, port: number, data: Duplex, error: Duplex | undefined, connect: Connect): void {
  const named = containersOf(pod).flatMap(({ spec }) => (spec.ports ?? []).map(({ containerPort }) => containerPort))
  if (named.length > 0 && !named.includes(port)) {
    data.resume().end()
    return void error?.end(`error forwarding port ${port} to pod ${pod.metadata.name}, uid : connection refused`)
  }
  const connection = connect(port)
  data.pipe(connection).pipe(data)
  data.once('finish', () => error?.end())
  data.once('close', () => {
    connection.destroy()
    error?.end()
  })
}
