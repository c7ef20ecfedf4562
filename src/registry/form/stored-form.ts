import type { CachedObject } from '../../storage/cached-object.js'

/** How the objects of a resource are stored, where that is not the form in which its cache holds them. */

/** A stored value cannot be read. It stays in the store, and requests for it are answered with a 500 with this message. */
export class UnreadableError extends Error {}

export interface StoredForm {
  /** Reads the object of a stored value, in the resource's version. Throws UnreadableError. */
  read(value: Buffer): any
  /**
   * Whether `write` would store the object of a value as it is stored. False for a value of another version. `object`: what was read of it; it may have less
   * unless the form is verbatim.
   */
  isCurrent(value: Buffer, object?: object): boolean
  /** Makes the stored value of an object, which is in the resource's version. */
  write(object: any): Buffer
  /** Whether `write` encodes an object unchanged, so that a written object need not be read again. */
  readonly verbatim: boolean
  /**
   * Whether a webhook made the cached form of an object, and may make another one by now; `object` is undefined for one that the cache lacks. Reads that name no
   * version, and deletions, then read the stored value anew. Undefined where the stored value alone decides.
   */
  readonly mayChange?: (object: CachedObject | undefined) => boolean
}
