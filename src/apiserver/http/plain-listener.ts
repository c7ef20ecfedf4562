/** Serves HTTP/1.1 without TLS, to this machine alone. */
import { type AddressInfo, createServer } from 'node:net'
import type { Handler } from '../../apimachinery/request/message.js'
import { UserError } from '../../util/user-error.js'
import { connectionLimits } from './connection-limits.js'
import { Connections } from './connections.js'
import { createHttp1Server } from './http1/server.js'

export interface PlainListener {
  readonly port: number
  /** Takes no more connections, and ends those that there are. */
  close(): void
}

/**
 * Listens on 127.0.0.1. `port` 0 takes any free one. Rejects with a UserError when the port is not free.
 *
 * @example
 * const { port, close } = await listenPlainly(handler, 0)
 */
export async function listenPlainly(handler: Handler, port: number): Promise<PlainListener> {
  const connections = new Connections(connectionLimits)
  const http1 = createHttp1Server(handler, connections, connectionLimits)
  const server = createServer(socket => {
    socket.setNoDelay(true)
    connections.add(socket)
    http1.accept(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(new UserError(`port ${port} of 127.0.0.1: ${error.message}`, { cause: error })))
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      http1.close()
      server.close()
      connections.closeAll()
    }
  }
}
