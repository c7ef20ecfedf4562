/**
 * Decides whether a history of operations is linearizable: whether each operation can have happened at one moment between its call
 * and its return. The objects are independent of each other, so each one is checked alone.
 *
 * The search is that of Wing and Gong (1993), with Lowe's memory of the states that have led nowhere (2017). The Go library porcupine
 * does the same.
 */
import { describeOperation, type Operation } from './operation.js'

/** The object between two operations. */
interface State {
  /** Undefined while the object does not exist. */
  readonly value: string | undefined
  /** The newest known resourceVersion of the object. Later writes have larger ones. */
  readonly version: number
}

const absent: State = { value: undefined, version: 0 }

/** The most steps of the search for one object. A history that needs more has too many operations with an unknown outcome. */
const mostSteps = 5_000_000

/** Throws an error that shows the operations around the first one that fits nowhere. Returns the number of operations checked. */
export function assertLinearizable(history: readonly Operation[]): number {
  const byKey = new Map<string, Operation[]>()
  for (const operation of history) {
    const ofKey = byKey.get(operation.key)
    if (ofKey) ofKey.push(operation)
    else byKey.set(operation.key, [operation])
  }
  for (const operations of byKey.values()) checkObject(operations)
  return history.length
}

/** Returns the resourceVersion of each value. Throws when a value was seen at two versions, or two values at one. */
function versionsOf(operations: readonly Operation[]): Map<string, number> {
  const versions = new Map<string, number>()
  const values = new Map<number, string>()
  for (const operation of operations) {
    const { action, outcome } = operation
    if (outcome.kind !== 'done' || outcome.resourceVersion === undefined) continue
    const value = 'value' in action ? action.value : outcome.value
    if (value === undefined) continue
    const version = outcome.resourceVersion
    if ((versions.get(value) ?? version) !== version || (values.get(version) ?? value) !== value)
      throw new Error(`value and resourceVersion do not belong together: ${describeOperation(operation)}`)
    versions.set(value, version)
    values.set(version, value)
  }
  return versions
}

/** Returns the state after the operation; undefined when the operation cannot have had its outcome in this state. */
function step(state: State, { action, outcome }: Operation, versions: ReadonlyMap<string, number>): State | undefined {
  const exists = state.value !== undefined
  const happened = outcome.kind === 'done' || outcome.kind === 'unknown'
  const written = (value: string): State | undefined => {
    const version = versions.get(value)
    if (version === undefined) return { value, version: state.version }
    return version > state.version ? { value, version } : undefined
  }
  switch (action.kind) {
    case 'get':
      if (outcome.kind === 'notFound') return exists ? undefined : state
      return outcome.kind === 'done' && outcome.value === state.value ? state : undefined
    case 'create':
      if (happened) return exists ? undefined : written(action.value)
      return outcome.kind === 'alreadyExists' && exists ? state : undefined
    case 'update': {
      const matches = exists && (action.expected === undefined || action.expected === state.value)
      if (happened) return matches ? written(action.value) : undefined
      if (outcome.kind === 'notFound') return exists ? undefined : state
      return outcome.kind === 'conflict' && exists && !matches ? state : undefined
    }
    case 'delete':
      if (happened) return exists ? { value: undefined, version: state.version } : undefined
      return outcome.kind === 'notFound' && !exists ? state : undefined
  }
}

/** A call or a return, in the list of those that the search has not passed yet. */
interface Moment {
  readonly index: number
  readonly operation: Operation
  /** The return that belongs to this call; undefined for a return, and for a call with an unknown outcome. */
  readonly end: Moment | undefined
  readonly isReturn: boolean
  before: Moment | undefined
  after: Moment | undefined
}

/** Returns the moments in their order, behind a head that stands for none. */
function moments(operations: readonly Operation[]): Moment {
  const all: [number, Moment][] = []
  operations.forEach((operation, index) => {
    const shared = { index, operation, before: undefined, after: undefined }
    const unknown = operation.outcome.kind === 'unknown'
    const end: Moment | undefined = unknown ? undefined : { ...shared, end: undefined, isReturn: true }
    all.push([operation.called, { ...shared, end, isReturn: false }])
    if (end) all.push([operation.returned, end])
  })
  all.sort(([a], [b]) => a - b)
  const head: Moment = {
    index: -1,
    operation: operations[0]!,
    end: undefined,
    isReturn: false,
    before: undefined,
    after: undefined
  }
  let last = head
  for (const [, moment] of all) {
    moment.before = last
    last.after = moment
    last = moment
  }
  return head
}

function unlink(moment: Moment): void {
  moment.before!.after = moment.after
  if (moment.after) moment.after.before = moment.before
}

/** To be called in the reverse order of `unlink`. */
function relink(moment: Moment): void {
  moment.before!.after = moment
  if (moment.after) moment.after.before = moment
}

/**
 * Whether the operation constrains the history: a write may have happened even when nobody knows, but a get without an answer
 * shows nothing.
 */
const counts = ({ action, outcome }: Operation) => action.kind !== 'get' || outcome.kind !== 'unknown'

function checkObject(all: readonly Operation[]): void {
  const operations = all.filter(counts)
  if (operations.length === 0) return
  const versions = versionsOf(operations)
  const head = moments(operations)
  let left = operations.filter(({ outcome }) => outcome.kind !== 'unknown').length
  const fewest = { left: left + 1, stuck: undefined as Operation | undefined, state: absent }
  /** The calls that have been placed, each with the state before it. */
  const placed: { readonly call: Moment; readonly before: State }[] = []
  const hash = new SetHash(operations.length)
  const seen = new Set<string>()
  let state = absent
  let steps = 0
  let moment = head.after
  while (left > 0) {
    if (++steps > mostSteps)
      throw new Error(`undecided after ${mostSteps} steps\n${explain(operations, fewest.stuck ?? operations[0]!, fewest.state)}`)
    if (moment && !moment.isReturn) {
      const next = step(state, moment.operation, versions)
      if (next && isNew(seen, hash, moment.index, next)) {
        placed.push({ call: moment, before: state })
        state = next
        if (moment.end) {
          unlink(moment.end)
          left--
        }
        unlink(moment)
        moment = head.after
      } else moment = moment.after
      continue
    }
    // an operation has returned before a place was found for it: the last placed one has to move
    if (moment && left < fewest.left) Object.assign(fewest, { left, stuck: moment.operation, state })
    const last = placed.pop()
    if (!last) throw new Error(explain(operations, fewest.stuck!, fewest.state))
    state = last.before
    hash.toggle(last.call.index)
    relink(last.call)
    if (last.call.end) {
      relink(last.call.end)
      left++
    }
    moment = last.call.after
  }
}

/** Adds the operation to the set of those placed, unless this set with this state has been seen. */
function isNew(seen: Set<string>, hash: SetHash, index: number, { value, version }: State): boolean {
  hash.toggle(index)
  const memory = `${hash.value} ${version} ${value}`
  if (!seen.has(memory)) {
    seen.add(memory)
    return true
  }
  hash.toggle(index)
  return false
}

/** Identifies a set of operations by 64 bits (Zobrist's hash), at the same cost however many operations there are. */
class SetHash {
  readonly #bits: Uint32Array
  #low = 0
  #high = 0

  constructor(size: number) {
    this.#bits = Uint32Array.from({ length: 2 * size }, () => Math.random() * 2 ** 32)
  }

  toggle(index: number): void {
    this.#low ^= this.#bits[2 * index]!
    this.#high ^= this.#bits[2 * index + 1]!
  }

  get value(): string {
    return `${this.#low}:${this.#high}`
  }
}

function explain(operations: readonly Operation[], stuck: Operation, { value, version }: State): string {
  const near = operations.filter(
    ({ called, returned, outcome }) => outcome.kind === 'unknown' || (called < stuck.returned && returned > stuck.called - 100)
  )
  const lines = near.slice(-60).map(operation => `${operation === stuck ? '→' : ' '} ${describeOperation(operation)}`)
  return [`not linearizable: ${describeOperation(stuck)}`, `the object was ${value ?? 'absent'} at ${version}`, ...lines].join(
    '\n'
  )
}
