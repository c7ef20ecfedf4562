/** The faults of one server: the rules that tests add, and the questions that parts of the server ask about them. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import { DeadlineExceededError } from '../../apimachinery/request/deadline.js'
import { noSubject, type Subject, subjectOf } from '../../apimachinery/request/fault-subject.js'
import type { Sink } from '../../apimachinery/request/message.js'
import { expired, type Status, timeout } from '../../apimachinery/status/status.js'
import type { InjectedFaults } from '../../registry/injected-faults.js'
import { type Caller, type CommitResult, type Store, StoreUnavailableError, type Write } from '../../storage/contract.js'
import type { Clock } from '../../util/clock.js'
import { ActiveFault } from './active-fault.js'
import { checkRule } from './check-rule.js'
import type { Fault, FaultRule } from './rule.js'
import { WatchFaultSink } from './watch-sink.js'

/**
 * Makes requests of one server fail, by rules.
 *
 * @example
 * server.faults.add({ verb: 'get', probability: 0.1, status: 500 })
 * server.faults.clear()
 */
export interface Faults {
  /**
   * Adds a rule, which takes effect at once. Several rules may concern one request, in the order in which they were added. Throws
   * a UserError for a wrong rule.
   */
  add(rule: FaultRule): Fault
  /** Removes all rules. */
  clear(): void
}

type Sphere = 'requests' | 'watches' | 'storage' | 'webhooks'

/** Each part of the server looks only at the rules for it. In a server without faults, that is an empty list. */
export class ServerFaults implements Faults, InjectedFaults {
  requests: readonly ActiveFault[] = []
  watches: readonly ActiveFault[] = []
  storage: readonly ActiveFault[] = []
  webhooks: readonly ActiveFault[] = []
  readonly clock: Clock

  constructor(clock: Clock) {
    this.clock = clock
  }

  add(rule: FaultRule): Fault {
    checkRule(rule)
    const sphere = sphereOf(rule)
    const fault = new ActiveFault({ ...rule }, this.clock, used => {
      this[sphere] = this[sphere].filter(other => other !== used)
    })
    this[sphere] = [...this[sphere], fault]
    return fault
  }

  clear(): void {
    this.requests = this.watches = this.storage = this.webhooks = []
  }

  /** Waits by the server's clock, but not longer than until `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        timer.cancel()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = this.clock.setTimeout(done, milliseconds)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  /** Returns the connection for a watch, which goes wrong as a rule says. `error` makes an ERROR event in the watch's form. */
  watchSink(context: RequestContext, sink: Sink, error: (status: Status) => Buffer): Sink {
    const subject = subjectOf(context)
    const fault = this.watches.find(it => it.takes(subject))
    if (!fault) return sink
    const watch = fault.rule.watch!
    return new WatchFaultSink({
      sink,
      fault: watch,
      expired: () => error(expired('The resourceVersion for the provided watch is too old.').status),
      reset: () => context.request.reset(),
      struck: () => fault.hit(subject, `watch ${watch.do}`),
      spared: () => fault.release()
    })
  }

  /** Fails a read that asks the store for its present state, if a rule says so. */
  async read(context: RequestContext): Promise<void> {
    const subject = subjectOf(context)
    // an answer can only get lost after a write
    const fault = this.storage.find(it => it.rule.storage !== 'lostAnswer' && it.takes(subject))
    if (!fault) return
    fault.hit(subject, `storage ${fault.rule.storage}`)
    await this.#delay(fault, context.signal)
    throw storageError(fault.rule, true)
  }

  /** Commits to the store, or fails if a rule says so. */
  async commit(store: Pick<Store, 'commit'>, subject: Subject, writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    const fault = this.storage.find(it => it.takes(subject))
    if (!fault) return store.commit(writes, caller)
    fault.hit(subject, `storage ${fault.rule.storage}`)
    await this.#delay(fault, caller?.signal)
    if (fault.rule.storage === 'lostAnswer') {
      const result = await store.commit(writes, caller)
      if (!result.ok) return result
    }
    throw storageError(fault.rule, false)
  }

  /** Returns how a call of the webhook fails, if a rule says so. `subject` is the request for which it is called. */
  async webhook(name: string, subject: Subject = noSubject, signal?: AbortSignal): Promise<FaultRule['error']> {
    const fault = this.webhooks.find(it => (it.rule.webhook === '*' || it.rule.webhook === name) && it.takes(subject))
    if (!fault) return undefined
    const { error } = fault.rule
    fault.hit(subject, `webhook ${name} ${typeof error === 'number' ? `status ${error}` : error}`)
    await this.#delay(fault, signal)
    return error
  }

  async #delay({ rule: { delay } }: ActiveFault, signal: AbortSignal | undefined): Promise<void> {
    if (delay) await this.sleep(delay, signal)
  }
}

function sphereOf({ watch, storage, webhook }: FaultRule): Sphere {
  if (watch) return 'watches'
  if (storage) return 'storage'
  return webhook === undefined ? 'requests' : 'webhooks'
}

/**
 * What kube-apiserver answers, as measured with an etcd that was stopped, and with one that was killed: reads run into the limit of the request, writes into
 * one that ends earlier. An error of etcd's own is a 500 with its text.
 */
function storageError({ storage }: FaultRule, isRead: boolean): Error {
  if (storage === 'noQuorum') return new StoreUnavailableError('etcdserver: request timed out')
  if (isRead) return new DeadlineExceededError()
  return timeout('Timeout: request did not complete within requested timeout - context deadline exceeded', {})
}
