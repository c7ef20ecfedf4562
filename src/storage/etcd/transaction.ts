/** A commit as an etcd transaction: its conditions, its writes, and the keys to read when a condition does not hold. */
import type { CommitResult, KeyValue, Write } from '../contract.js'
import type { TxnRequest, TxnResponse } from './messages.js'

/** `lease`: the id of the lease that ends the keys of writes with a ttl. */
export function transaction(writes: readonly Write[], lease?: number): TxnRequest {
  const keyed = writes.map(write => ({ ...write, bytes: Buffer.from(write.key) }))
  return {
    conditions: keyed.flatMap(({ bytes, value, expected }) => [
      ...(expected === undefined ? [] : [{ key: bytes, modRevision: expected }]),
      // deleting a missing key must fail
      ...(value === undefined && !expected ? [{ key: bytes, modRevision: undefined }] : [])
    ]),
    writes: keyed.map(({ bytes, value, ttl }) => ({ key: bytes, value, lease: ttl === undefined ? undefined : lease })),
    otherwise: keyed.map(({ bytes }) => bytes)
  }
}

function isAllowed({ expected, value }: Write, before: KeyValue | undefined): boolean {
  const present = before?.modRevision ?? 0
  return (expected === undefined || expected === present) && (value !== undefined || present !== 0)
}

/** Translates the transaction's answer into the result of the commit. */
export function outcome(writes: readonly Write[], { succeeded, revision, read, deleted }: TxnResponse): CommitResult {
  const [first] = writes
  // kine says that a deletion has succeeded when there has not been such a key for long
  const foundNothing = writes.length === 1 && first!.value === undefined && deleted === 0
  if (succeeded && foundNothing) return { ok: false, key: first!.key, current: undefined }
  if (succeeded) return { ok: true, revision }
  const at = writes.findIndex((write, i) => !isAllowed(write, read[i]))
  const refused = Math.max(0, at)
  return { ok: false, key: writes[refused]!.key, current: read[refused] }
}
