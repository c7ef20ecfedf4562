import { type StoreEvent, StoreUnavailableError, type Watcher, type WatchHandle } from './contract.js'

/** One watcher of one prefix, from a revision on. */
export class Subscription implements WatchHandle {
  readonly prefix: string
  readonly #watcher: Watcher
  readonly #hub: WatchHub
  /** The next revision to deliver. */
  next: number
  /** The events that the current dispatch has found for this subscription. */
  found: StoreEvent[] = []
  /** True once the subscription has caught up and receives live events. */
  attached = false
  #closed = false

  constructor(hub: WatchHub, prefix: string, next: number, watcher: Watcher) {
    this.#hub = hub
    this.prefix = prefix
    this.next = next
    this.#watcher = watcher
  }

  get closed(): boolean {
    return this.#closed
  }

  deliver(events: readonly StoreEvent[], revision: number): void {
    if (this.#closed) return
    this.next = revision + 1
    if (events.length === 0) return
    try {
      this.#watcher.onEvents(events, revision)
    } catch (error) {
      // A bug in one watcher must not affect the commit or the other watchers.
      this.end(error as Error)
    }
  }

  caughtUp(): void {
    if (!this.#closed) this.#watcher.onCaughtUp?.()
  }

  /** Resolves when the watcher can take more history; undefined when it can do so at once. */
  pace(): Promise<void> | undefined {
    return this.#closed ? undefined : this.#watcher.pace?.()
  }

  end(error: Error): void {
    if (this.#closed) return
    this.close()
    this.#watcher.onError(error)
  }

  close(): void {
    this.#closed = true
    this.#hub.remove(this)
  }
}

/**
 * Registers which watcher watches which prefix. An event finds its watchers through the prefixes of its key, with one look-up for
 * each '/', so its cost does not depend on the number of other prefixes that are watched.
 */
export class WatchHub {
  /** Subscriptions of prefixes that end in '/' (or are empty), by prefix. */
  readonly #byFolder = new Map<string, Set<Subscription>>()
  /** Subscriptions of other prefixes: few, checked one by one. */
  readonly #others = new Set<Subscription>()
  /** All subscriptions, including those that still replay history. */
  readonly #open = new Set<Subscription>()
  readonly #waiting: { events: readonly StoreEvent[]; revision: number }[] = []
  #dispatching = false

  subscribe(prefix: string, next: number, watcher: Watcher): Subscription {
    const subscription = new Subscription(this, prefix, next, watcher)
    this.#open.add(subscription)
    return subscription
  }

  /** Attaches a subscription that has caught up: from now on it receives live events. */
  attach(subscription: Subscription): void {
    this.#attach(subscription)
    subscription.caughtUp()
  }

  #attach(subscription: Subscription): void {
    const { prefix } = subscription
    subscription.attached = true
    if (prefix !== '' && !prefix.endsWith('/')) {
      this.#others.add(subscription)
      return
    }
    const folder = this.#byFolder.get(prefix)
    if (folder === undefined) this.#byFolder.set(prefix, new Set([subscription]))
    else folder.add(subscription)
  }

  remove(subscription: Subscription): void {
    this.#open.delete(subscription)
    this.#others.delete(subscription)
    const folder = this.#byFolder.get(subscription.prefix)
    if (folder?.delete(subscription) && folder.size === 0) this.#byFolder.delete(subscription.prefix)
  }

  /** True when no subscription would receive an event. */
  get idle(): boolean {
    return this.#byFolder.size === 0 && this.#others.size === 0
  }

  /**
   * Delivers the events of whole commits, in order, up to `revision`. A dispatch that a watcher causes waits for the end of this
   * one.
   */
  dispatch(events: readonly StoreEvent[], revision: number): void {
    this.#waiting.push({ events, revision })
    if (this.#dispatching) return
    this.#dispatching = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      this.#deliver(next.events, next.revision)
    this.#dispatching = false
  }

  #deliver(events: readonly StoreEvent[], revision: number): void {
    const touched: Subscription[] = []
    for (const event of events) {
      const { key } = event
      this.#note(this.#byFolder.get(''), event, touched)
      for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1)) {
        this.#note(this.#byFolder.get(key.slice(0, slash + 1)), event, touched)
      }
      for (const subscription of this.#others) {
        if (key.startsWith(subscription.prefix)) note(subscription, event, touched)
      }
    }
    for (const subscription of touched) {
      const { found } = subscription
      subscription.found = []
      subscription.deliver(found, revision)
    }
  }

  #note(folder: Set<Subscription> | undefined, event: StoreEvent, touched: Subscription[]): void {
    if (folder !== undefined) for (const subscription of folder) note(subscription, event, touched)
  }

  endAll(error: Error): void {
    for (const subscription of this.#open) subscription.end(error)
  }

  close(): void {
    this.endAll(new StoreUnavailableError('the store is closed'))
  }
}

const note = (subscription: Subscription, event: StoreEvent, touched: Subscription[]): void => {
  if (event.revision < subscription.next) return
  if (subscription.found.push(event) === 1) touched.push(subscription)
}
