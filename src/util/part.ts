/** A part of a server that has a beginning and an end. */
export interface Part {
  readonly name: string
  start?(): void | Promise<void>
  stop?(): void | Promise<void>
}

/** Parts that have been started, in order; they are stopped in the reverse order. */
export class RunningParts {
  readonly #running: Part[] = []

  /** Starts one part after the other. When one fails, the caller has to stop the others. */
  async start(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      // a part that fails half-way is stopped, too
      this.#running.push(part)
      await part.start?.()
    }
  }

  /** Stops every part, even when one fails; then rejects with the first error. */
  async stop(): Promise<void> {
    const errors: unknown[] = []
    for (const part of this.#running.splice(0).reverse()) {
      try {
        await part.stop?.()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
