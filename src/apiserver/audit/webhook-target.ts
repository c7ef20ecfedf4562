/** The webhook backend's target: a server that receives lists of events. */
import type { RemoteWebhook } from '../../transport/webhooks/remote-webhook.js'
import { type AuditEvent, listOfEvents } from './event.js'
import type { Target } from './output.js'

/** Milliseconds that the last events have to be sent when the server stops. */
const lastCallMs = 5000

export class WebhookTarget implements Target {
  readonly plugin = 'webhook'
  readonly joinsBatches = false
  readonly #webhook: RemoteWebhook
  readonly #stopping = new AbortController()
  #deadline: NodeJS.Timeout | undefined

  constructor(webhook: RemoteWebhook) {
    this.#webhook = webhook
  }

  encode(event: AuditEvent): string {
    return event.json
  }

  async write(events: readonly string[]): Promise<void> {
    await this.#webhook.post(Buffer.from(listOfEvents(events)), this.#stopping.signal)
  }

  /** Gives calls under way some time; those that fail from now on are not repeated. */
  stopping(): void {
    this.#deadline ??= setTimeout(() => this.#stopping.abort(new Error('audit backend shut down')), lastCallMs)
  }

  async close(): Promise<void> {
    clearTimeout(this.#deadline)
    await this.#webhook.close()
  }
}
