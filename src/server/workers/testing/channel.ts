/** A channel between two processes, for tests in one: what one end sends, the other gets in a later turn. */
import { EventEmitter } from 'node:events'

export interface ChannelEnd extends EventEmitter {
  send(message: unknown, handle?: unknown): boolean
}

export function channel(): readonly [ChannelEnd, ChannelEnd] {
  const ends = [new EventEmitter(), new EventEmitter()] as const
  const make = (own: EventEmitter, other: EventEmitter): ChannelEnd =>
    Object.assign(own, {
      send(message: unknown, handle?: unknown) {
        const copy = structuredClone(message)
        setImmediate(() => other.emit('message', copy, handle))
        return true
      }
    })
  return [make(ends[0], ends[1]), make(ends[1], ends[0])]
}

/** Resolves when messages that were sent before have been answered. */
export async function settled(turns = 10): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(setImmediate)
}
