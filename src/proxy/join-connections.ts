import type { Duplex } from 'node:stream'

/**
 * Joins two connections: what one sends, the other gets, as fast as it takes it. When one of them ends, the other gets the rest and ends
 * too; an error of one destroys both.
 */
export function openBoth(a: Duplex, b: Duplex): void {
  const destroy = () => {
    a.destroy()
    b.destroy()
  }
  for (const [from, to] of [
    [a, b],
    [b, a]
  ] as const) {
    from.on('error', destroy)
    from.once('close', () => (from.readableEnded ? to.end() : destroy()))
    from.pipe(to)
  }
}
