import assert from 'node:assert/strict'
import type { KeyValue, Store, StoreEvent, Write } from '../contract.js'

export const text = (value: string): Buffer => Buffer.from(value)

/** Commits writes that must succeed; returns their revision. */
export const write = async (store: Store, ...writes: readonly Write[]): Promise<number> => {
  const result = await store.commit(writes)
  assert.ok(result.ok, 'the commit was refused')
  return result.revision
}

export const put = (store: Store, key: string, value: string, expected?: number): Promise<number> =>
  write(store, { key, value: text(value), expected })

export const remove = (store: Store, key: string, expected?: number): Promise<number> =>
  write(store, { key, value: undefined, expected })

/** `key=value` of each. */
export const brief = (items: readonly KeyValue[]): string[] => items.map(({ key, value }) => `${key}=${value}`)

/** An event in one line: revision, key, new value, and the previous value in parentheses. */
export const line = ({ revision, key, current, previous }: StoreEvent): string =>
  `${revision} ${key}=${current ? current.value : 'gone'}${previous ? ` (${previous.value})` : ''}`

export interface Recording {
  readonly events: StoreEvent[]
  /** The newest revision that a call has covered. */
  revision(): number
  /** Revisions of the events, by call. */
  readonly calls: number[][]
  readonly error: Promise<Error>
  /** Resolves once `count` events have arrived. */
  have(count: number): Promise<StoreEvent[]>
  close(): void
}

/** Watches, and records the calls that it receives. */
export const record = async (
  store: Store,
  prefix: string,
  from: number,
  onEvents: (events: readonly StoreEvent[]) => void = () => {}
): Promise<Recording> => {
  const events: StoreEvent[] = []
  const calls: number[][] = []
  let covered = 0
  const waiting: { count: number; resolve: (events: StoreEvent[]) => void }[] = []
  let fail: (error: Error) => void = () => {}
  const error = new Promise<Error>(resolve => {
    fail = resolve
  })
  const handle = await store.watch(prefix, from, {
    onEvents: (more, revision) => {
      events.push(...more)
      calls.push(more.map(event => event.revision))
      covered = revision
      onEvents(more)
      for (const { count, resolve } of waiting) if (events.length >= count) resolve(events)
    },
    onError: fail
  })
  return {
    events,
    revision: () => covered,
    calls,
    error,
    have: count => new Promise(resolve => (events.length >= count ? resolve(events) : waiting.push({ count, resolve }))),
    close: () => handle.close()
  }
}

/** Random numbers below `n`, the same in each run, so that a failure can be reproduced. */
export const seeded = (seed: number): ((n: number) => number) => {
  let state = seed
  return n => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}
