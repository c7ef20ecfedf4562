/**
 * An error that no retry can put right: the object is reconciled again only after its next change.
 *
 * @example
 * if (error instanceof TerminalError) console.log(error.cause)
 */
export class TerminalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TerminalError'
  }
}

/**
 * Makes an error that no retry can put right, of a text or of another error.
 *
 * @example
 * if (object.spec.schedule === '') throw terminalError('the schedule is empty')
 */
export function terminalError(reason: unknown): TerminalError {
  return new TerminalError(reason instanceof Error ? reason.message : String(reason), { cause: reason })
}
