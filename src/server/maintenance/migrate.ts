/** Copies all objects of one store to another, of another engine. */
import type { KeyValue, Store, Write } from '../../storage/contract.js'
import { noProgress, type Progress } from '../../util/progress.js'
import { UserError } from '../../util/user-error.js'

export interface MigrateOptions {
  /** How many seconds Events live from now on, where the target expires keys. */
  readonly eventTtl: number
  /** Is told keys. */
  readonly progress?: Progress
}

const pageSize = 500
/** The most writes in one commit: etcd takes 128 writes and 1.5 MiB in one transaction. */
const mostWrites = 100
const mostBytes = 1 << 20

/** What the keys of leases begin with, which mean nothing once their servers have stopped: they are not copied. */
const leftBehind = ['masterleases/', 'peerserverleases/']
export const isLeftBehind = (path: string): boolean => leftBehind.some(beginning => path.startsWith(beginning))
const encryptedPrefix = Buffer.from('k8s:enc:')

/**
 * Copies the newest state of every key, at one revision of the source; history stays behind. Rejects with a UserError when the target
 * has objects already. Returns the number of keys. Nobody else may write to either store meanwhile.
 */
export async function migrate(from: Store, to: Store, { eventTtl, progress = noProgress }: MigrateOptions): Promise<number> {
  const there = await to.list(`${to.root}/`, { limit: 2 })
  // kine has this one from the beginning
  const [first, ...others] = there.items.filter(({ key }) => key !== '/registry/health')
  if (first)
    throw new UserError(
      `the target has ${there.count - there.items.length + others.length + 1} keys already, such as ${first.key}`
    )
  const prefix = `${from.root}/`
  const ttlOf = (path: string) => (path.startsWith('events/') && to.expires ? eventTtl : undefined)
  let copied = 0
  let revision: number | undefined
  let total: number | undefined
  let batch: Write[] = []
  let bytes = 0
  const flush = async () => {
    if (batch.length === 0) return
    const commits = to.singleWrites ? batch.map(write => [write]) : [batch]
    for (const result of await Promise.all(commits.map(writes => to.commit(writes))))
      if (!result.ok) throw new UserError(`${result.key} was written by somebody else: is a server running on the target?`)
    copied += batch.length
    batch = []
    bytes = 0
  }
  for (let start: string | undefined = prefix; start !== undefined; ) {
    const page = await from.list(prefix, { limit: pageSize, start, revision })
    revision = page.revision
    total ??= page.count
    progress(total - page.count, total)
    for (const { key, value } of page.items) {
      const path = key.slice(prefix.length)
      if (isLeftBehind(path)) continue
      assertMovable(key, value, from, to)
      if (batch.length >= mostWrites || (bytes > 0 && bytes + value.length > mostBytes)) await flush()
      batch.push({ key: `${to.root}/${path}`, value, expected: 0, ttl: ttlOf(path) })
      bytes += value.length
    }
    const last: KeyValue | undefined = page.items.at(-1)
    start = page.more && last ? `${last.key}\0` : undefined
  }
  await flush()
  return copied
}

/** Refuses to move an encrypted value to another key, because a value is authenticated together with its key. */
function assertMovable(key: string, value: Buffer, from: Store, to: Store): void {
  if (from.root === to.root || !value.subarray(0, encryptedPrefix.length).equals(encryptedPrefix)) return
  throw new UserError(`${key} is encrypted, and can only be read at this key: use --etcd-prefix=${from.root}`)
}
