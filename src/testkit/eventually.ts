/** Waiting in tests: for what happens soon, and for what has stopped to move. */
import assert from 'node:assert/strict'
import { setTimeout as elapsed } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Longer than anything takes on a busy machine, shorter than the limit of a test file. */
const deadlineMs = 60_000
/** Most waits end within some turns of the event loop; the others must not take the processor from what they wait for. */
const eagerMs = 50
const pauseMs = 5
const shownCharacters = 2000

const shown = (value: unknown) => {
  const text = inspect(value, { depth: 8, breakLength: 130 })
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/**
 * Asks again and again until the answer is as wanted, and resolves with it. Rejects at once if asking fails. Rejects after a deadline
 * with an error that says what was awaited and what was seen last. `what` is a sentence without its full stop. Without `isWanted`,
 * anything truthy is wanted.
 */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  isWanted: (seen: T) => unknown = Boolean,
  withinMs = deadlineMs
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const seen = await ask()
    if (isWanted(seen)) return seen
    const waited = performance.now() - began
    if (waited > withinMs) {
      const condition = isWanted === Boolean ? ask : isWanted
      assert.fail(`expected within ${withinMs} ms: ${what}\nthat is: ${condition}\nlast seen: ${shown(seen)}`)
    }
    if (waited < eagerMs) await new Promise(setImmediate)
    else await elapsed(pauseMs)
  }
}

/** Resolves with a value when it has not changed for a time: what fills buffers has filled them. `what` names the value. */
export async function unchanging<T>(what: string, ask: () => T, forMs = 200, withinMs = deadlineMs): Promise<T> {
  for (const began = performance.now(); performance.now() - began < withinMs; ) {
    const before = ask()
    await elapsed(forMs)
    if (ask() === before) return before
  }
  assert.fail(`expected within ${withinMs} ms: ${what} stays the same for ${forMs} ms\nlast seen: ${shown(ask())}`)
}
