/** Finds the versions of one object in the history of its store. */
import type { Resource } from '../../registry/resource.js'
import { CompactedError, type KeyValue, type KeyVersion } from '../../storage/contract.js'

interface Search {
  readonly from: number
  readonly before: number
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the newest versions of an object that are older than `before`, the newest first, and one more where there is one. Where the
 * store cannot find them, this takes one pass over the events since `from`. The oldest version may be older than `from`: what the object was when history began.
 */
export async function versionsOf(
  resource: Pick<Resource, 'store' | 'prefix'>,
  key: string,
  search: Search
): Promise<readonly KeyVersion[]> {
  for (let { from } = search; ; ) {
    try {
      return await versionsSince(resource, key, { ...search, from })
    } catch (error) {
      // history is forgotten meanwhile, or the store has forgotten more of these keys than of others
      if (!(error instanceof CompactedError) || error.compactRevision <= from) throw error
      from = error.compactRevision
    }
  }
}

async function versionsSince(
  { store, prefix }: Pick<Resource, 'store' | 'prefix'>,
  key: string,
  { from, before, limit, signal }: Search
): Promise<readonly KeyVersion[]> {
  const whole = prefix + key
  if (store.versions) return store.versions(whole, { from, before, limit: limit + 1 })
  const found: KeyVersion[] = []
  const first = await store.get(whole, { revision: from })
  if (first && first.modRevision < before) found.push({ revision: first.modRevision, state: first })
  await new Promise<void>((resolve, reject) => {
    let isOver = false
    let close = () => {}
    const end = (error?: Error) => {
      isOver = true
      close()
      if (error) reject(error)
      else resolve()
    }
    const take = (revision: number, state: KeyValue | undefined) => {
      if (revision >= before || revision === found.at(-1)?.revision) return
      found.push({ revision, state })
      if (found.length > 2 * limit + 2) found.splice(0, found.length - limit - 1)
    }
    const watcher = {
      onEvents: (events: readonly { key: string; revision: number; current: KeyValue | undefined }[]) => {
        for (const { key, revision, current } of events) if (key === whole) take(revision, current)
      },
      onCaughtUp: () => end(),
      pace: () => {
        if (signal?.aborted && !isOver) end(signal.reason as Error)
        return undefined
      },
      onError: end
    }
    store.watch(whole, from + 1, watcher).then(handle => {
      if (isOver) handle.close()
      else close = () => handle.close()
    }, reject)
  })
  return found.slice(-limit - 1).reverse()
}
