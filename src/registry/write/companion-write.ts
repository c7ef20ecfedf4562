import type { Write } from '../../storage/contract.js'

/** A write beside that of the object, in the same commit. */
export interface CompanionWrite extends Write {
  /**
   * Makes the same change to another value of the key. Present where several objects of one commit may change the key; without it, they
   * cannot be committed together.
   */
  readonly onto?: (value: Buffer) => Buffer
}
