import type { Duplex } from 'node:stream'
import { Throttle } from './throttle.js'

/** Milliseconds that one side has to take what the other side sent before it went away. */
const lastTakingMs = 30_000

/**
 * Passes bytes between two connections until one of them ends, then ends the other one when it has taken what was sent. Neither
 * is read faster than the other takes it, nor faster than `bytesPerSecond`.
 */
export function join(one: Duplex, other: Duplex, bytesPerSecond?: number): void {
  carry(one, other, bytesPerSecond)
  carry(other, one, bytesPerSecond)
}

function carry(from: Duplex, to: Duplex, bytesPerSecond: number | undefined): void {
  from.on('error', () => from.destroy())
  if (!bytesPerSecond) {
    from.once('close', () => finish(to))
    return void from.pipe(to)
  }
  const throttle = new Throttle(bytesPerSecond)
  from.pipe(throttle).pipe(to)
  to.once('close', () => throttle.destroy())
  throttle.once('close', () => finish(to))
  // the throttle may still hold bytes from before the end
  from.once('close', () => from.readableEnded || throttle.destroy())
}

/** Ends a connection when the other side has taken what was sent, or has had the time for it. */
export function finish(connection: Duplex): void {
  if (connection.destroyed) return
  connection.resume()
  const timer = setTimeout(() => connection.destroy(), lastTakingMs)
  connection.once('close', () => clearTimeout(timer))
  connection.end(() => connection.destroy())
}
