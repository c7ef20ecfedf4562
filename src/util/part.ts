/** A part of a server, with a start and a stop. */
export interface Part {
  readonly name: string
  start?(): void | Promise<void>
  stop?(): void | Promise<void>
  /** Reads files again that may have changed. Resolves when they are in use, and reports problems itself. */
  reload?(): Promise<void>
}

/** The parts that have been started, in order. They are stopped in reverse order. */
export class RunningParts {
  readonly #running: Part[] = []

  /** Starts the parts one after the other. If one fails, the caller must call `stop`. */
  async start(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      // a part that fails to start is stopped, too
      this.#running.push(part)
      await part.start?.()
    }
  }

  /** Makes all parts read their files again. */
  async reload(): Promise<void> {
    await Promise.all(this.#running.map(part => part.reload?.()))
  }

  /** Stops every part but `kept`, even when one fails; then rejects with the first error. */
  async stop(kept?: Part): Promise<void> {
    const errors: unknown[] = []
    for (const part of this.#running.splice(0).reverse()) {
      try {
        if (part !== kept) await part.stop?.()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
