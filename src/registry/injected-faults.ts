/** What the parts of a server ask about the faults that a test has added: each part looks at its own list of rules first. */
import type { RequestContext } from '../apimachinery/request/context.js'
import type { Subject } from '../apimachinery/request/fault-subject.js'
import type { Sink } from '../apimachinery/request/message.js'
import type { Status } from '../apimachinery/status/status.js'
import type { Caller, CommitResult, Store, Write } from '../storage/contract.js'
import type { WebhookFaults } from '../transport/webhooks/injected-faults.js'

export interface InjectedFaults extends WebhookFaults {
  readonly watches: { readonly length: number }
  readonly storage: { readonly length: number }
  /** Returns the connection for a watch, which goes wrong as a rule says. `error` makes an ERROR event in the watch's form. */
  watchSink(context: RequestContext, sink: Sink, error: (status: Status) => Buffer): Sink
  /** Fails a read that asks the store for its present state, if a rule says so. */
  read(context: RequestContext): Promise<void>
  /** Commits to the store, or fails if a rule says so. */
  commit(store: Pick<Store, 'commit'>, subject: Subject, writes: readonly Write[], caller?: Caller): Promise<CommitResult>
}
