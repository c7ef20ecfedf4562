/** Comprehensions: they fold a range into an accumulator. */
import { ArrayList, CelError, EntryMap, isError, ListValue, MapValue, mapKey, typeOf, type Value } from '../values/value.js'
import type { Evaluate, Frame } from './frame.js'

export interface Fold {
  readonly range: Evaluate
  readonly initial: Evaluate
  readonly condition: Evaluate
  readonly step: Evaluate
  readonly result: Evaluate
  /** The slot of the accumulator in the frame; the slots of the variables follow. */
  readonly slot: number
  readonly pairs: boolean
}

export function fold({ range, initial, condition, step, result, slot, pairs }: Fold): Evaluate {
  const next = (frame: Frame, first: Value, second?: Value) => {
    frame.locals[slot + 1] = first
    if (pairs) frame.locals[slot + 2] = second!
    if (condition(frame) === false) return false
    frame.locals[slot] = step(frame)
    return true
  }
  return frame => {
    const over = range(frame)
    if (isError(over)) return over
    const start = initial(frame)
    frame.locals[slot] = growing(start)
    if (over instanceof ListValue) {
      for (let i = 0; i < over.size; i++) if (!(pairs ? next(frame, BigInt(i), over.get(i)) : next(frame, over.get(i)))) break
    } else if (over instanceof MapValue) {
      for (const key of over.keys()) if (!(pairs ? next(frame, key, over.get(key)) : next(frame, key))) break
    } else return new CelError(`got '${goType(over)}', expected iterable type`)
    const value = result(frame)
    return value instanceof GrowingList ? value.finished() : value
  }
}

/** Returns cel-go's name of a type in this one message. */
function goType(value: Value): string {
  const { name } = typeOf(value)
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function growing(start: Value): Value {
  if (start instanceof ArrayList) return new GrowingList(start.items)
  return start instanceof EntryMap ? new GrowingMap() : start
}

/** Appends in place. Macros only evaluate `accumulator + [x]`, so no other code can hold this list. */
class GrowingList extends ListValue {
  readonly #items: Value[]
  constructor(items: readonly Value[]) {
    super()
    this.#items = [...items]
  }

  get size(): number {
    return this.#items.length
  }

  get(i: number): Value {
    return this.#items[i]!
  }

  override concat(other: ListValue): Value {
    for (const item of other) this.#items.push(item)
    return this
  }

  finished(): ListValue {
    return new ArrayList(this.#items)
  }
}

/** As GrowingList, for maps, which start empty. */
class GrowingMap extends EntryMap {
  readonly #entries: Map<string, readonly [Value, Value]>
  constructor(entries = new Map<string, readonly [Value, Value]>()) {
    super(entries)
    this.#entries = entries
  }

  override with(key: Value, value: Value): EntryMap | undefined {
    const text = mapKey(key)
    if (text === undefined || this.#entries.has(text)) return undefined
    this.#entries.set(text, [key, value])
    return this
  }
}
