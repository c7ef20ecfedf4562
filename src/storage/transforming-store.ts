import type { Store, StoreEvent, Watcher, WatchHandle } from './contract.js'
import { DeliveryQueue } from './delivery-queue.js'
import { StoreWrapper } from './store-wrapper.js'

/** The events as watchers see them; a function when that takes time, which is called when everything before has been prepared. */
export type Shown = readonly StoreEvent[] | (() => Promise<readonly StoreEvent[]>)

/**
 * A store that keeps its values in another form in the store below. To show them may take time. All watchers then see the events in their
 * order, and the seen revision trails that of the store below, as with a distributed store.
 */
export abstract class TransformingStore extends StoreWrapper {
  protected readonly queue: DeliveryQueue

  constructor(below: Store) {
    super(below)
    this.queue = new DeliveryQueue(below)
  }

  /**
   * Called when events arrive. Returns events, and no function, only while nothing waits in the queue. `isPresent`: they are not of a
   * watch's history.
   */
  protected abstract show(events: readonly StoreEvent[], isPresent: boolean): Shown

  override get seenRevision(): number {
    return this.queue.seenRevision
  }

  override currentRevision(): number | Promise<number> {
    const revision = this.below.currentRevision()
    return typeof revision === 'number' && this.queue.isEmpty ? revision : this.#delivered(revision)
  }

  async #delivered(revision: number | Promise<number>): Promise<number> {
    const current = await revision
    await this.queue.delivered
    return current
  }

  override async watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    let closed = false
    let isPresent = false
    let handle: WatchHandle | undefined
    const fail = (error: Error) => {
      if (closed) return
      closed = true
      handle?.close()
      watcher.onError(error)
    }
    handle = await this.below.watch(prefix, fromRevision, {
      onEvents: (events, revision) => {
        if (closed) return
        const shown = this.show(events, isPresent)
        if (typeof shown !== 'function') {
          watcher.onEvents(shown, revision)
          return
        }
        // events of the past do not lower the seen revision
        const before = isPresent ? events[0]!.revision - 1 : this.below.seenRevision
        this.queue.add(before, fail, async () => {
          const prepared = closed ? [] : await shown()
          return () => {
            if (!closed) watcher.onEvents(prepared, revision)
          }
        })
      },
      onCaughtUp: () => {
        isPresent = true
        const tell = () => {
          if (!closed) watcher.onCaughtUp?.()
        }
        if (this.queue.isEmpty) tell()
        else this.queue.add(0, fail, async () => tell)
      },
      pace: () =>
        this.queue.isEmpty ? watcher.pace?.() : this.queue.delivered.then(() => (closed ? undefined : watcher.pace?.())),
      onError: fail
    })
    return {
      close() {
        closed = true
        handle.close()
      }
    }
  }
}
