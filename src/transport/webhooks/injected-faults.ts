/** What calls of webhooks ask about the faults that a test has added (apiserver/faults/ implements it). */
import type { Subject } from '../../apimachinery/request/fault-subject.js'

export interface WebhookFaults {
  /** The rules for webhooks: where there are none, nothing is asked. */
  readonly webhooks: { readonly length: number }
  /** Resolves with how a call of the webhook fails, if a rule says so. `subject` is the request for which it is called. */
  webhook(name: string, subject?: Subject, signal?: AbortSignal): Promise<'refused' | 'timeout' | number | undefined>
  /** Waits by the server's clock, but not longer than until `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
