import type { Handler } from '../apimachinery/request/message.js'

/** Holds requests back until the handler is there. */
export class Gate {
  open!: (handler: Handler) => void
  refuse!: (error: unknown) => void
  readonly handler: Handler

  constructor() {
    const next = new Promise<Handler>((resolve, reject) => {
      this.open = resolve
      this.refuse = reject
    })
    next.catch(() => {})
    this.handler = async request => (await next)(request)
  }
}
