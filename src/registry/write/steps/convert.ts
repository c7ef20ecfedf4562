/** Brings the object into the version of the cache, and sets its defaults there. */
import type { Drafted, Start } from './value.js'

export function converted<S extends Start>(write: Drafted<S>): Drafted<S> {
  const stored = inCachedVersion(write)
  const { operation } = write
  operation.resource.kind.strategy?.default?.(stored.object, operation)
  return stored
}

/** What an apply leaves as it is has its defaults already. Some kinds have other ones for what it changes. */
export function convertedApplied<S extends Start>(write: Drafted<S>): Drafted<S> {
  const stored = inCachedVersion(write)
  const { operation, isSame } = write
  const { strategy } = operation.resource.kind
  if (isSame) return stored
  if (strategy?.defaultApplied) strategy.defaultApplied(stored.object, operation)
  else strategy?.default?.(stored.object, operation)
  return stored
}

function inCachedVersion<S extends Start>(write: Drafted<S>): Drafted<S> {
  const { operation, object, version } = write
  if (version === undefined) return write
  const stored = operation.resource.toStorage(object, version)
  return stored === object ? write : Object.assign(write, { object: stored })
}
