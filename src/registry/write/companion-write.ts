import type { Write } from '../../storage/contract.js'

/** A write beside that of the object, in the same commit. */
export interface CompanionWrite extends Write {
  /**
   * Makes the same change to another value of the key. Present where several objects of one commit may change the key; without it, they
   * cannot be committed together.
   */
  readonly onto?: (value: Buffer) => Buffer
  /** Takes the change back from another value of the key, where that is not done by deleting what the write has created. */
  readonly undo?: (value: Buffer) => Buffer
  /** Gives something up that the object no longer has. Where a commit has one write at most, it comes after the object's own. */
  readonly givesUp?: true
}
