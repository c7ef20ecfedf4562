import { randomInt, randomUUID } from 'node:crypto'

/** Randomness, passed in so that tests can make it predictable. */
export interface Randomness {
  uuid(): string
  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number
  /** The suffix for a generateName: five letters and digits that cannot form words. */
  suffix(): string
  /**
   * For what is in no object: ids of requests, and times between which work is spread. However often it is used, what the others return
   * stays the same, those for another purpose included: who is first to ask may differ between runs.
   */
  apart(purpose: string): Randomness
}

/** The letters and digits of Kubernetes' names: no vowels, and none that look alike. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** `below` returns an integer from 0 to `count` (exclusive). */
export const suffixOf = (below: (count: number) => number): string =>
  Array.from({ length: 5 }, () => alphabet[below(alphabet.length)]).join('')

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
  suffix: () => suffixOf(count => randomInt(count)),
  apart: () => systemRandomness
}
