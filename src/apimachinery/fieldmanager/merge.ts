/** Merges an applied configuration into an object. Changes neither; the result shares unchanged parts. */
import { getKey, type JsonObject, setKey } from '../../util/json.js'
import { hasParts, type Place, valueStep } from './place.js'

/**
 * Merges a value; undefined means absent. A null does not replace a value that has parts; a value of another form replaces it
 * with all its parts.
 */
export function merge(place: Place, live: unknown, config: unknown): unknown {
  if (config === undefined) return live
  if (live === undefined) return config
  if (!hasParts(place, live)) return config
  if (config === null) return live
  if (!place.fits(config)) return config
  if (place.granularity === 'set') return inOrder(live as unknown[], config as unknown[], valueStep, (_, value) => value)
  if (place.granularity === 'items')
    return inOrder(
      live as unknown[],
      config as unknown[],
      item => place.stepTo(item),
      (a, b) => merge(place.below, a, b)
    )
  const out: JsonObject = { ...(live as JsonObject) }
  for (const key of Object.keys(config as object))
    setKey(out, key, merge(place.at(key)!, getKey(live as JsonObject, key), (config as JsonObject)[key]))
  return out
}

/**
 * Merges the items of two lists. Items of the configuration keep its order, and each other item stays behind its predecessor, as
 * far as the two orders agree. Where items of the object repeat, nobody can say which of them is meant: that of the configuration takes their place.
 */
function inOrder(
  live: readonly unknown[],
  config: readonly unknown[],
  stepTo: (item: unknown) => string | undefined,
  both: (live: unknown, config: unknown) => unknown
): unknown[] {
  const old = new Map<string | undefined, unknown>()
  let repeated: Set<string | undefined> | undefined
  for (const item of live) {
    const step = stepTo(item)
    if (old.has(step)) (repeated ??= new Set()).add(step)
    old.set(step, item)
  }
  const steps = config.map(stepTo)
  const applied = new Set(steps)
  const out: unknown[] = []
  let next = 0
  /** Index of the next item of the configuration that the object has, too. */
  let shared = 0
  const take = () => {
    const step = steps[next]
    out.push(old.has(step) && !repeated?.has(step) ? both(old.get(step), config[next]) : config[next])
    next++
  }
  for (const item of live) {
    const step = stepTo(item)
    if (!applied.has(step)) {
      out.push(item)
      continue
    }
    shared = Math.max(shared, next)
    while (shared < steps.length && !old.has(steps[shared])) shared++
    if (steps[shared] === step) while (next <= shared) take()
  }
  while (next < steps.length) take()
  return out
}
