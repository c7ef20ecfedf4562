/**
 * Compaction shared by several servers. It follows kube-apiserver's protocol, so both kinds of servers can run side by side. The key
 * `compact_rev_key` holds the revision that was current at its last write. Its version counts the rounds. In each interval, the first
 * server to update the key from the version that it saw one interval ago compacts to the revision that was current then.
 */
import type { Logger } from '../../util/logger.js'
import type { EtcdClient } from './client.js'
import { decodeNothing, decodeTxn, encodeCompaction, encodeTxn } from './messages.js'

const key = Buffer.from('compact_rev_key')
const defaultInterval = 5 * 60_000

export interface CompactionOptions {
  /** Milliseconds; 0 for never. */
  readonly interval: number | undefined
  readonly log: Logger
}

export interface Compaction {
  /** The revision of the last compaction, as far as this server has seen it. */
  readonly revision: number
  stop(): void
}

export function startCompaction(client: EtcdClient, { interval = defaultInterval, log }: CompactionOptions): Compaction {
  if (interval <= 0) return { revision: 0, stop() {} }
  let seen: Round = { version: 0, revision: 0, compacted: 0 }
  let failed = false
  const timer = setInterval(() => {
    round(client, seen).then(
      next => {
        seen = next
        failed = false
      },
      error => {
        if (!failed) log.error(`etcd: cannot compact the history: ${error.message}`)
        failed = true
      }
    )
  }, interval)
  timer.unref()
  return {
    get revision() {
      return seen.compacted
    },
    stop: () => clearInterval(timer)
  }
}

/** What a server remembers of a round: the version of the key, the revision that was current then, and the compacted one. */
export interface Round {
  readonly version: number
  readonly revision: number
  readonly compacted: number
}

/**
 * Runs one round. Compacts only when no other server has compacted since the last round. The condition is on the version, as
 * kube-apiserver's is: kine knows the transaction by that, and keeps its own revision of compaction in a key of the same name.
 */
export async function round(client: EtcdClient, seen: Round): Promise<Round> {
  const request = encodeTxn({
    conditions: [{ key, version: seen.version }],
    writes: [{ key, value: Buffer.from(String(seen.revision)) }],
    otherwise: [key]
  })
  const { succeeded, revision, read } = await client.call('/etcdserverpb.KV/Txn', request, decodeTxn, false)
  if (!succeeded) return { version: read[0]?.version ?? 0, revision, compacted: Number(read[0]?.value ?? 0) || 0 }
  if (seen.revision > 0) await client.call('/etcdserverpb.KV/Compact', encodeCompaction(seen.revision), decodeNothing, false)
  return { version: seen.version + 1, revision, compacted: seen.revision }
}
