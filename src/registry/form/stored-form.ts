/** How the objects of a resource lie in the store, where that is not how the resource's cache holds them. */

/** A stored value that cannot be shown: it stays in the store, and who asks for it gets a 500 with the message. */
export class UnreadableError extends Error {}

export interface StoredForm {
  /** The object of a stored value, in the resource's version. Throws UnreadableError. */
  read(value: Buffer): any
  /** The stored value of an object, which is in the resource's version. */
  write(object: any): Buffer
  /** True when `write` encodes an object as it is: what was just written need not be read again. */
  readonly verbatim: boolean
}
