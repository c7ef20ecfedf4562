/** Resets connections, as a broken network or a killed load balancer does: tests ask for that (apiserver/faults/). */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Milliseconds after which a connection is reset even if its client does not take what was written. */
const longestWait = 1000

/** Resets a connection when what was written has left. */
export function resetWhenWritten(socket: TLSSocket): void {
  const end = performance.now() + longestWait
  const look = () => {
    if (socket.destroyed) return
    if (socket.writableLength > 0 && performance.now() < end) setTimeout(look, 1)
    else resetNow(socket)
  }
  // an answer that has just been written reaches its socket in the next turn
  setImmediate(look)
}

/** The TCP connection, which Node only exposes under this name, is reset: TLS would end it in order. */
export function resetNow(socket: TLSSocket): void {
  const { _parent: plain } = socket as TLSSocket & { _parent?: Socket }
  plain?.resetAndDestroy()
  socket.destroy()
}

export { longestWait as longestWaitForReset }
