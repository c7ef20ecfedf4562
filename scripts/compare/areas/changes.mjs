/** Stored objects of every kind, changed at random and sent in every way to write: what is refused and why, and what a write makes of the rest. */
import { apply, merge, strategic } from '../patch-types.mjs'
import { collectionOf, dryRun, storedBases } from '../stored.mjs'

export async function area({ random, cluster, send }) {
  const { stored, plausible, cleanup } = await storedBases({ random, cluster, send })
  return {
    eachResource: true,
    cleanup,
    async generate() {
      const { kind, bases, types } = random.pick(stored)
      const { base, path } = random.pick(bases)
      const subresources = kind.subresources.filter(s =>
        ['status', 'ephemeralcontainers', 'resize', 'approval', 'finalize'].includes(s.name)
      )
      const through = subresources.length > 0 && random.chance(0.3) ? random.pick(subresources).name : undefined
      const object = structuredClone(base)
      if (through === 'status') {
        const { properties } = types.follow(types.schema)
        if (properties.status) object.status = plausible.value('status', { ...types, schema: properties.status })
      }
      const body = plausible.changed(object, types, through === 'status' && random.chance(0.7) ? 0 : undefined)
      const query = dryRun(random)
      const at = `${path}${through ? `/${through}` : ''}?${query}`
      const write = random.pick(
        through ? ['put', 'put', 'merge', 'strategic', 'apply'] : ['post', 'post', 'put', 'put', 'merge', 'strategic', 'apply']
      )
      return { requests: [requestOf(write, { kind, base, body, at, query })] }
    }
  }

  function requestOf(write, { kind, base, body, at, query }) {
    switch (write) {
      case 'post':
        // another name, because that of the stored object is taken
        return {
          method: 'POST',
          path: `${collectionOf(cluster, kind)}?${query}`,
          body:
            body.metadata?.name === base.metadata.name
              ? { ...body, metadata: { ...body.metadata, name: base.metadata.name.replace('$RUN', '$ID') } }
              : body
        }
      case 'put':
        return { method: 'PUT', path: at, body }
      case 'merge':
        return { method: 'PATCH', path: at, body: patchOf(base, body), headers: { 'content-type': merge } }
      case 'strategic':
        return { method: 'PATCH', path: at, body: patchOf(base, body), headers: { 'content-type': strategic } }
      default:
        return { method: 'PATCH', path: `${at}&fieldManager=other&force=true`, body, headers: { 'content-type': apply } }
    }
  }
}

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Returns the fields of `after` that differ from those of `before`. */
function patchOf(before, after) {
  if (!isObject(before) || !isObject(after)) return after
  const patch = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!Object.hasOwn(after, key)) patch[key] = null
    else if (!Object.hasOwn(before, key)) Object.defineProperty(patch, key, { value: after[key], enumerable: true })
    else if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) patch[key] = patchOf(before[key], after[key])
  }
  return patch
}
