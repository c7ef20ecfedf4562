/** The steps that scenarios of built-in kinds have in common. */

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Returns `base` with the fields of `changes`, in nested objects as well. Lists and null replace what was there. */
export function merge(base, changes) {
  if (!isObject(base) || !isObject(changes)) return changes
  const keys = new Set([...Object.keys(base), ...Object.keys(changes)])
  return Object.fromEntries([...keys].map(key => [key, key in changes ? merge(base[key], changes[key]) : base[key]]))
}

/**
 * Returns the steps of an object's life: creates that are refused (`bad`), its create, its updates (`put`) and merge patches
 * (`patch`), an update without a version where the kind allows it (`free`), updates of its status, and its deletion (`end`).
 *
 * `bad`, `put` and `status` hold changes of the object by the names of their steps. Each update is sent with the resource
 * version that the step before it has returned. The fields of `step` are added to every step.
 */
export function life(
  kind,
  path,
  object,
  { bad = {}, put = {}, patch = {}, status = {}, free = true, end = true, step = {} } = {}
) {
  const at = `${path}/${object.metadata.name}`
  const version = `${kind.replace(/\W/g, '')}Rv`
  const capture = { [version]: 'metadata.resourceVersion' }
  const changed = changes => {
    const body = merge(object, changes)
    return { ...body, metadata: { ...body.metadata, resourceVersion: `\${${version}}` } }
  }
  const each = (changes, stepOf) => Object.entries(changes).map(([name, change]) => stepOf(name, change))
  const mergePatch = { 'Content-Type': 'application/merge-patch+json' }
  return [
    ...each(bad, (name, change) => ({ id: `${kind}-bad-${name}`, path, body: merge(object, change) })),
    { id: `${kind}-create`, path, body: object, capture },
    ...each(put, (name, change) => ({ id: `${kind}-put-${name}`, method: 'PUT', path: at, body: changed(change), capture })),
    ...each(patch, (name, body) => ({
      id: `${kind}-patch-${name}`,
      method: 'PATCH',
      path: at,
      headers: mergePatch,
      body,
      capture
    })),
    ...(free ? [{ id: `${kind}-put-without-version`, method: 'PUT', path: at, body: object, capture }] : []),
    ...each(status, (name, change) => ({
      id: `${kind}-status-${name}`,
      method: 'PUT',
      path: `${at}/status`,
      body: changed(change),
      capture
    })),
    ...(end ? [{ id: `${kind}-delete`, method: 'DELETE', path: at }] : [])
  ].map(common => ({ ...common, ...step }))
}
