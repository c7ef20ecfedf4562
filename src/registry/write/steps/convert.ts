/** Brings the object into the version of the cache, and sets its defaults there. */
import { Unconvertible } from '../../../apimachinery/status/status.js'
import type { Drafted, Start } from './value.js'

export function converted<S extends Start>(write: Drafted<S>): Drafted<S> {
  const stored = inCachedVersion(write)
  const { operation } = write
  return inItsWords(stored, () => operation.resource.kind.strategy?.default?.(stored.object, operation))
}

/** What an apply leaves as it is has its defaults already. Some kinds have other ones for what it changes. */
export function convertedApplied<S extends Start>(write: Drafted<S>): Drafted<S> {
  const stored = inCachedVersion(write)
  const { operation, isSame } = write
  const { strategy } = operation.resource.kind
  if (isSame) return stored
  return inItsWords(stored, () => {
    if (strategy?.defaultApplied) strategy.defaultApplied(stored.object, operation)
    else strategy?.default?.(stored.object, operation)
  })
}

/** Sets the defaults. What does not fit the internal type is refused as the way of the write has it. */
function inItsWords<S extends Start>(write: Drafted<S>, setDefaults: () => void): Drafted<S> {
  try {
    setDefaults()
    return write
  } catch (error) {
    throw error instanceof Unconvertible && write.unconverted ? write.unconverted(error.why) : error
  }
}

function inCachedVersion<S extends Start>(write: Drafted<S>): Drafted<S> {
  const { operation, object, version } = write
  if (version === undefined) return write
  const stored = operation.resource.toStorage(object, version)
  return stored === object ? write : Object.assign(write, { object: stored })
}
