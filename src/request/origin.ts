/** Tells those who work for a request what they may need of it, wherever they are. */
import type { RequestRecord } from './record.js'

export interface Origin {
  /** Adds a Warning header to the answer. */
  warn(text: string): void
  /** Aborts when nobody waits for the work any more. */
  readonly signal?: AbortSignal | undefined
  /** Throws when nobody waits for the work any more. */
  throwIfAborted(): void
  /** Where the work is recorded, if somewhere. */
  readonly record?: RequestRecord | undefined
  /** A header of the request that the work is for. */
  header?(name: string): string | undefined
  /** Whether the work lets others have their turn between its steps. */
  readonly isLarge: boolean
}

/** The origin of what the server does by itself. */
export const noOrigin: Origin = { warn() {}, throwIfAborted() {}, isLarge: false }
