/** Pseudo-random values that are the same in every run. */

/** Returns an integer below `below`, at least 0. */
export type Random = (below: number) => number

/** mulberry32 */
export function random(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below)
  }
}

/** Returns about half of the values, in order. */
export const some = <T>(next: Random, values: readonly T[]): T[] => values.filter(() => next(2) === 1)

export const pick = <T>(next: Random, values: readonly T[]): T => values[next(values.length)]!

/**
 * How often a test tries something at random: `count` times, which takes a second or two; `TEST_ROUNDS=10 npm test -- PART` tries ten
 * times as much.
 */
export const times = (count: number): number => Math.ceil(count * Number(process.env.TEST_ROUNDS ?? 1))
