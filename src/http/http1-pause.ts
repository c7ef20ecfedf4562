import type { Socket } from 'node:net'

/**
 * Keeps the bytes that come while Node has paused a connection. Call it for each request, when its headers have come.
 *
 * Node pauses a connection when a request comes before earlier answers have left, so that a client that does not read them cannot
 * fill the memory. But its parser reads a TLS connection without the stream between them, and takes records that have been decrypted
 * already for an error (HPE_PAUSED), which closes the connection: in Node 20, 22 and 24, when a body of several records follows
 * a large answer. With a listener for data the parser reads from the stream, where bytes wait until it goes on.
 */
export function keepWhilePaused(socket: Socket): void {
  if (!socket.isPaused() || socket.listeners('data').includes(ignore)) return
  socket.on('data', ignore)
  // the stream has waited for bytes that the parser took; with these it reads again
  socket.push(empty)
}

const empty = Buffer.alloc(0)
const ignore = () => {}
