import { randomInt, randomUUID } from 'node:crypto'

/** Randomness, passed in so that tests can make it predictable. */
export interface Randomness {
  uuid(): string
  /** From 0 up to, but without, 1. */
  fraction(): number
  /** A generateName's suffix: five letters and digits that form no words. */
  suffix(): string
}

/** Without vowels and look-alikes, as in Kubernetes' names. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
  suffix: () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
