/** One watch over all keys of etcd, on a gRPC stream of its own. */
import { status } from '@grpc/grpc-js'
import { CompactedError, StoreUnavailableError } from '../contract.js'
import { type EtcdClient, EtcdError, watchMs } from './client.js'
import { decodeRange, decodeWatch, type EtcdEvent, encodeRange, encodeWatch, type WatchResponse } from './messages.js'

/** This single byte, as the first key and as the end, selects all keys. */
const allKeys = Buffer.from([0])

export interface WatchStreamListener {
  /** Delivers the events of whole revisions, in order, in a turn of the event loop of their own. */
  onEvents(events: readonly EtcdEvent[]): void
  /** The stream ended: CompactedError when its start revision is compacted, StoreUnavailableError otherwise. No calls follow. */
  onEnd(error: Error): void
}

export interface OpenWatch {
  /** Until `end` resolves, takes no more from etcd than is already on its way. */
  pauseUntil(end: Promise<void>): void
  /** Closes the watch because its server does not send what it should. */
  giveUp(reason: string): void
  close(): void
}

/** Resolves when etcd has accepted the watch; rejects with the errors of `onEnd`. */
export async function openWatch(client: EtcdClient, fromRevision: number, listener: WatchStreamListener): Promise<OpenWatch> {
  const { stream, doubt } = await client.watchStream(decodeWatch)
  let onCreated: { resolve(): void; reject(error: Error): void } | undefined
  const created = new Promise<void>((resolve, reject) => (onCreated = { resolve, reject }))
  let over = false
  const end = (error: Error) => {
    if (over) return
    over = true
    stream.cancel()
    if (onCreated) onCreated.reject(error)
    else listener.onEnd(error)
  }
  /** Before 3.4.25 and 3.5.8, an etcd member that is behind the others may first send events older than the requested ones. */
  let next = fromRevision
  let waiting: EtcdEvent[] = []
  const deliver = () => {
    const events = waiting
    waiting = []
    if (!over) listener.onEvents(events)
  }
  const receive = (response: WatchResponse) => {
    const { compactRevision, canceled, cancelReason, events } = response
    if (compactRevision > 0) return end(new CompactedError(compactRevision))
    if (canceled) return end(new StoreUnavailableError(cancelReason || 'etcd cancelled the watch'))
    if (response.created) {
      onCreated?.resolve()
      onCreated = undefined
    }
    const last = events.at(-1)?.current.modRevision
    if (last === undefined || last < next) return
    const incomplete = events.find(event => event.current.modRevision >= next && lacksPrevious(event))
    if (incomplete) {
      // nothing that follows may be delivered
      next = Number.POSITIVE_INFINITY
      return void whyIncomplete(client, incomplete).then(end)
    }
    // Events that arrive in one read of the socket are delivered together.
    if (waiting.length === 0) setImmediate(deliver)
    for (const event of events) if (event.current.modRevision >= next) waiting.push(event)
    next = last + 1
  }
  stream.on('data', receive)
  // Cancelling a stream also emits an error.
  stream.on('error', error => end(new StoreUnavailableError(error.message, { cause: error })))
  stream.on('end', () => end(new StoreUnavailableError('etcd ended the watch')))
  stream.write(encodeWatch(allKeys, allKeys, fromRevision))
  const late = setTimeout(() => {
    doubt('it does not accept a watch')
    end(new StoreUnavailableError('etcd does not accept a watch'))
  }, watchMs)
  await created.finally(() => clearTimeout(late))
  return {
    pauseUntil(end) {
      stream.pause()
      void end.then(() => stream.resume())
    },
    giveUp(reason) {
      doubt(reason)
      end(new StoreUnavailableError(`etcd: ${reason}`))
    },
    close() {
      over = true
      stream.cancel()
    }
  }
}

/**
 * etcd looks up the values before while it sends events, and leaves out those that it does not find: the compacted ones, and all for as
 * long as it has not noted that a new watch wants them. Who follows the objects that a selector selects could not go on from there.
 */
const lacksPrevious = ({ current, previous }: EtcdEvent): boolean =>
  previous === undefined && current.createRevision !== current.modRevision

/** Returns the error for the end of the watch: opened again, it would get what it lacks unless that has been compacted. */
async function whyIncomplete(client: EtcdClient, { current: { key, modRevision } }: EtcdEvent): Promise<Error> {
  const before = encodeRange({ key: Buffer.from(key), revision: modRevision - 1, countOnly: true })
  try {
    await client.call('/etcdserverpb.KV/Range', before, decodeRange, true)
  } catch (error) {
    if (error instanceof EtcdError && error.code === status.OUT_OF_RANGE) return new CompactedError(modRevision)
  }
  return new StoreUnavailableError('etcd has sent a change without the value before it')
}
