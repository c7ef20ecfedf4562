import { randomInt, randomUUID } from 'node:crypto'

/** Randomness, passed in so that tests can make it predictable. */
export interface Randomness {
  uuid(): string
  /** The suffix for a generateName: five letters and digits that cannot form words. */
  suffix(): string
}

/** No vowels and no look-alikes, as in Kubernetes' names. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  suffix: () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
}
