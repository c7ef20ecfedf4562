/**
 * Commits an object and what it claims to a store that takes one write in a commit (`Store.singleWrites`), as kube-apiserver does
 * everywhere: claims first, then the object, and last what it gives up. So there is no moment in which an object has what it has not
 * claimed. What is left of a failure is a claim without an object, which blocks nothing but itself, until
 * controllers/service-claims.ts removes it.
 */
import type { Caller, CommitResult, Store } from '../../storage/contract.js'
import type { CompanionWrite } from './companion-write.js'

/** How often another writer of the same key may come first. */
const mostTries = 100

interface Claimed {
  readonly write: CompanionWrite
  readonly revision: number
}

/** `commitOwn` commits the object's own write. Resolves with its result, or with that of the claim that was refused. */
export async function commitOneByOne(
  store: Store,
  companions: readonly CompanionWrite[],
  { signal, user }: Caller,
  commitOwn: () => Promise<CommitResult>
): Promise<CommitResult> {
  // who asks may go: that ends the object's own write, but not what belongs to it
  const caller = { user }
  const claimed: Claimed[] = []
  try {
    for (const write of companions.filter(({ givesUp }) => !givesUp)) {
      const result = await store.commit([write], caller)
      if (!result.ok) {
        await takeBack(store, claimed, caller)
        return result
      }
      claimed.push({ write, revision: result.revision })
    }
    signal?.throwIfAborted()
  } catch (error) {
    await takeBack(store, claimed, caller)
    throw error
  }
  // when this rejects, nobody knows whether the object was written: then it keeps its claims
  const result = await commitOwn()
  if (!result.ok) await takeBack(store, claimed, caller)
  else for (const write of companions) if (write.givesUp) await despiteErrors(() => giveUp(store, write, caller))
  return result
}

async function takeBack(store: Store, claimed: readonly Claimed[], caller: Caller): Promise<void> {
  for (const { write, revision } of claimed.toReversed()) {
    const { key, undo, expected } = write
    await despiteErrors(async () => {
      if (undo) await change(store, key, undo, caller)
      // what was there before is not ours to delete
      else if (expected === 0) await store.commit([{ key, value: undefined, expected: revision }], caller)
    })
  }
}

async function giveUp(store: Store, write: CompanionWrite, caller: Caller): Promise<void> {
  const { ok } = await store.commit([write], caller)
  if (!ok && write.onto) await change(store, write.key, write.onto, caller)
}

/** Changes a key that others change, too. */
async function change(store: Store, key: string, to: (value: Buffer) => Buffer, caller: Caller): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    const current = await store.get(key, { caller })
    if (!current) return
    const { ok } = await store.commit([{ key, value: to(current.value), expected: current.modRevision }], caller)
    if (ok) return
  }
}

/** The object is written, or refused, whatever becomes of this. */
async function despiteErrors(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    // the claim stays without an object
  }
}
