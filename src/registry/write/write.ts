/**
 * Writes an object: one way for every verb, in at most twelve steps. What the client sent has been decoded; what follows begins with the
 * present object and ends with the commit. `verbs.ts` says which steps a verb has, and `steps/` has a file for each.
 */
import { notFound } from '../../apimachinery/status/status.js'
import type { CachedObject } from '../../storage/cached-object.js'
import { nextTurn } from '../../util/turns.js'
import { compareAndSwap } from './compare-and-swap.js'
import type { Operation, Written } from './operation.js'
import { found, missing } from './steps/present.js'
import type { Prepared, Start } from './steps/value.js'
import type { Steps, Verb } from './verb.js'

export interface Target {
  /** The name in the path; "" for a write that does not look for a present object. */
  readonly name: string
  /** Throws when the user may not create. A request that is a create itself has been asked that before. */
  readonly permitCreate?: () => Promise<void>
}

/** Begins again whenever another write came first, until nobody waits any more. */
export function write<Sent>(
  operation: Operation,
  verb: Verb<Sent>,
  { name, permitCreate }: Target,
  sent: Sent
): Promise<Written> {
  const attempt = (current: CachedObject | undefined) => {
    if (current && verb.found) return take(verb.found, found(operation, name, current), sent)
    if (verb.missing && verb.creates(operation))
      return take(verb.missing, missing(operation, name, verb.found && permitCreate), sent)
    throw notFound(operation.groupResource, name)
  }
  // like kube-apiserver, which takes what its cache has wherever it finds out when it writes that this was too old
  return verb.found ? compareAndSwap(operation, name, attempt, operation.dryRun) : untilDone(operation, attempt)
}

async function untilDone(operation: Operation, attempt: (current: undefined) => Promise<Written | undefined>): Promise<Written> {
  for (;;) {
    const written = await attempt(undefined)
    if (written) return written
    operation.origin.throwIfAborted()
  }
}

/** Takes the steps. Returns undefined when the present object has to be read again. */
async function take<S extends Start, Sent>(steps: Steps<S, Sent>, start: S, sent: Sent): Promise<Written | undefined> {
  const { operation, isLarge } = start
  if (isLarge) await nextTurn()
  const draft = steps.draft(start, sent)
  const drafted = draft instanceof Promise ? await draft : draft
  if (isLarge) await nextTurn()
  const identified = steps.identify(steps.convert ? steps.convert(drafted) : drafted)
  if (isLarge) await nextTurn()
  const tracking = steps.track?.(identified)
  if (tracking) await tracking
  if (isLarge) await nextTurn()
  const admitted = await steps.admit(identified)
  for (;;) {
    const prepared = await steps.prepare(admitted)
    const outcome = await store(steps, prepared)
    if (outcome === 'present') return undefined
    if (outcome !== 'prepare') return outcome
    operation.origin.throwIfAborted()
  }
}

/** Takes the steps that follow when the object is as it would be stored. What the preparation has allocated is released when it is not. */
async function store<S extends Start, Sent>(
  steps: Steps<S, Sent>,
  prepared: Prepared<S>
): Promise<Written | 'present' | 'prepare'> {
  const { operation, isLarge, object, old } = prepared
  const release = () => operation.resource.kind.strategy?.release?.(object, old, operation)
  try {
    for (;;) {
      if (isLarge) await nextTurn()
      await steps.validate(prepared)
      if (isLarge) await nextTurn()
      await steps.admitAgain(prepared)
      if (isLarge) await nextTurn()
      const outcome = await steps.commit(steps.encode(prepared))
      if (outcome === 'validate') continue
      if (outcome === 'present' || outcome === 'prepare') release()
      return outcome
    }
  } catch (error) {
    release()
    throw error
  }
}
