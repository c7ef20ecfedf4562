/** What the code that works for a request may need to know about it, in whatever room it is. */
import type { WholeFloats } from '../validation/whole-floats.js'
import type { RequestRecord } from './record.js'

export interface Origin {
  /** Adds a Warning header to the answer. */
  warn(text: string): void
  /** Aborts when nobody waits for the work any more. */
  readonly signal?: AbortSignal | undefined
  /** Throws when nobody waits for the work any more. */
  throwIfAborted(): void
  /** The record of the request, if the work belongs to one. */
  readonly record?: RequestRecord | undefined
  /** A header of the request that the work is for. */
  header?(name: string): string | undefined
  /** Whether the work lets others have their turn between its steps. */
  readonly isLarge: boolean
  /** Where the custom resource in the body has whole numbers that are floats; undefined where it has none. */
  readonly floats?: WholeFloats | undefined
}

/** The origin of the server's own work. */
export const noOrigin: Origin = { warn() {}, throwIfAborted() {}, isLarge: false }
