/**
 * Several wrong values at once, in objects of every kind, on create, on update and through status: which errors come, in which order, and which of them
 * hide others. Values are of the right type, so that objects reach validation.
 */
import { Examples } from '../field-walk/examples.mjs'
import { mutationsOf } from '../field-walk/mutations.mjs'
import { at, mutated, visitsOf } from '../field-walk/visits.mjs'
import { collectionOf, storedBases } from '../stored.mjs'

/** Values that no decoder accepts for the type, or that are about documents instead of values. */
const undecodable =
  /^(a (string|number|boolean|list|wrong item|wrong entry|null entry|list as entry)|an object|a list of null|twice|items with a null|an entry twice|(over|under|min) int|max int64|fraction|point zero|exponent|json|an unknown field|time (date|lower|letter)|letter|unit|plus|\d+ items|null)/
/** Mutations whose values are too long to read, and which have the same effect everywhere. */
const long = /(253|254|1025) long|key of 254/
/** Fields that identify an object, or that the server decides. */
const identity = ['apiVersion', 'kind']
const metadata = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName']

export async function area({ random, cluster, send, options }) {
  // Services would take addresses from it on one of the servers
  cluster.resources = cluster.resources.filter(({ resource }) => resource !== 'servicecidrs')
  const { stored, cleanup } = await storedBases({ random, cluster, send })
  const wanted = stored.filter(({ kind }) => {
    const names = [kind.resource, `${kind.resource}.${kind.group}`, kind.group]
    return options.kind === undefined || options.kind.some(name => names.includes(name))
  })
  if (wanted.length === 0) throw new Error('no kind has objects to start from')
  for (const found of wanted) {
    const { bases, types } = found
    const examples = new Examples(types.follow)
    for (const { base } of bases) examples.learn(base, types.schema)
    for (const one of bases) {
      const from = (start, object) => [...visitsOf({ ...types, base: object, examples, from: start })].filter(isWanted)
      one.visits = from([], one.base).filter(({ path }) => path[0] !== 'status')
      if (types.follow(types.schema).properties.status) one.statusVisits = from(['status'], one.base)
    }
  }
  return {
    eachResource: true,
    cleanup,
    async generate() {
      const { kind, bases, types } = random.pick(wanted)
      const { base, path, visits, statusVisits } = random.pick(bases)
      const hasStatus = statusVisits?.length > 0 && kind.subresources.some(s => s.name === 'status')
      const write = random.pick(hasStatus ? ['create', 'create', 'update', 'update', 'status'] : ['create', 'update'])
      const pool = write === 'status' ? statusVisits : near(visits)
      let body = structuredClone(base)
      for (let left = 2 + random.below(4); left > 0; left--) body = changed(body, random.pick(pool), types) ?? body
      if (write !== 'create') {
        body.metadata = { ...body.metadata, name: base.metadata.name }
        return { requests: [{ method: 'PUT', path: `${path}${write === 'status' ? '/status' : ''}?dryRun=All`, body }] }
      }
      const name = body.metadata?.name
      if (name?.includes('$RUN')) body.metadata.name = name.replace('$RUN', '$ID')
      return { requests: [{ path: `${collectionOf(cluster, kind)}?dryRun=All`, body }] }
    }
  }

  /** Chooses fields below the same one, some of the time: in large types, the changes would be too far apart otherwise. */
  function near(visits) {
    if (random.chance(0.4)) return visits
    const { path } = random.pick(visits)
    const depth = 1 + random.below(path.length)
    const close = visits.filter(visit => path.slice(0, depth).every((key, i) => visit.path[i] === key))
    return close.length > 1 ? close : visits
  }

  function changed(object, visit, { follow }) {
    const example = at(visit.object, visit.path)
    const mutations = mutationsOf(visit.schema, example, follow).filter(({ sort }) => !undecodable.test(sort) && !long.test(sort))
    if (mutations.length === 0) return undefined
    const result = mutated(withParents(object, visit), visit.path, random.pick(mutations))
    if (result && random.chance(0.15)) repeatItem(result, visit.path)
    return result
  }

  /** Repeats the item of a list that contains the field, changed or not. */
  function repeatItem(object, path) {
    const depth = path.findLastIndex(key => typeof key === 'number')
    const list = at(object, path.slice(0, depth))
    if (depth < 0 || !Array.isArray(list)) return
    list.push(structuredClone(list[path[depth]]))
  }
}

const isWanted = ({ path: [root, key] }) => !identity.includes(root) && (root !== 'metadata' || metadata.includes(key))

/** Returns the object with what contains the visit's field. */
function withParents(object, visit) {
  const copy = structuredClone(object)
  for (let depth = 1; depth < visit.path.length; depth++) {
    const path = visit.path.slice(0, depth)
    if (at(copy, path) !== undefined && at(copy, path) !== null) continue
    const parent = at(copy, path.slice(0, -1))
    if (parent === null || typeof parent !== 'object') return copy
    parent[path.at(-1)] = structuredClone(at(visit.object, path))
  }
  return copy
}
