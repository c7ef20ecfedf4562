/** A connection through the proxy failed; `stage` says at which step, for the metrics. */
export class EgressError extends Error {
  readonly stage: 'connect' | 'proxy'

  constructor(stage: 'connect' | 'proxy', message: string) {
    super(message)
    this.stage = stage
  }
}
