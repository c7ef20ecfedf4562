import type { Status } from './types.js'

/** An answer of 400 and above, or none at all (`code` 0). */
export class ApiError extends Error {
  readonly code: number
  readonly status: Status | undefined
  constructor(code: number, message: string, status?: Status) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** What an error says to people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
