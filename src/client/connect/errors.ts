/** What goes wrong between a client and its server, other than a Status. */

/**
 * The server could not be reached, or the connection broke. `cause` is the error of the socket.
 *
 * @example
 * try {
 *   await client.of('v1', 'Pod').list()
 * } catch (error) {
 *   if (error instanceof ConnectionError) console.error(error.message) // https://10.0.0.1:6443: connect ECONNREFUSED 10.0.0.1:6443
 * }
 */
export class ConnectionError extends Error {
  constructor(server: string, cause: Error) {
    super(`${server}: ${cause.message || (cause as NodeJS.ErrnoException).code || cause.name}`, { cause })
    this.name = 'ConnectionError'
  }
}

/** The connection broke, or gives no sign of life. */
export class Broken extends Error {}

/** The server has not begun to work on the request, so it may be sent again whatever it does. */
export class NotProcessed extends Broken {}
