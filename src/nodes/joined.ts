import type { Duplex } from 'node:stream'

/** Milliseconds in which one side must take what the other side has sent, once that is gone. */
const lastTakingMs = 30_000

/**
 * Passes bytes between two connections until one of them ends, then ends the other one when it has taken what was sent. Neither
 * is read faster than the other takes it.
 */
export function join(one: Duplex, other: Duplex): void {
  one.on('error', () => one.destroy())
  other.on('error', () => other.destroy())
  one.once('close', () => finish(other))
  other.once('close', () => finish(one))
  one.pipe(other)
  other.pipe(one)
}

function finish(connection: Duplex): void {
  if (connection.destroyed) return
  connection.resume()
  const timer = setTimeout(() => connection.destroy(), lastTakingMs)
  connection.once('close', () => clearTimeout(timer))
  connection.end(() => connection.destroy())
}
