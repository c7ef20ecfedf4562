/**
 * Every field of every kind in turn: absent, null, of another type, empty, at the limits and beyond, on create, on update and on the subresources, by
 * replacement and by every patch. `--kind` and `--field` restrict it.
 */
import { setTimeout } from 'node:timers/promises'
import { basesOf, scenarioBodies } from '../bases.mjs'
import { children } from '../field-walk/children.mjs'
import { Examples, typeOf } from '../field-walk/examples.mjs'
import { mutationsOf } from '../field-walk/mutations.mjs'
import { at, visitsOf } from '../field-walk/visits.mjs'
import * as ways from '../field-walk/ways.mjs'
import { merge } from '../patch-types.mjs'
import { collectionOf, named } from '../stored.mjs'

/** Subresources that are written with the object, and the fields of the object that they are about. */
const parts = {
  status: ['status'],
  approval: ['status'],
  resize: ['spec'],
  ephemeralcontainers: ['spec', 'ephemeralContainers'],
  finalize: ['spec']
}
/** The kinds that come first, because others use their types. */
const first = ['configmaps', 'pods', 'services', 'deployments']
const rank = ({ resource }) => (first.includes(resource) ? first.indexOf(resource) : first.length)
/** The kinds in which types are tried in full that several kinds have. */
const owners = [
  ['.PodSpec', 'pods'],
  ['.ObjectMeta', 'configmaps']
]
/** Kinds to which controllers in the server add conditions, and the last condition that they add. */
const conditions = { customresourcedefinitions: 'Established', flowschemas: 'Dangling' }
const left = ['apiregistration.k8s.io']
/**
 * How much is sent for a field: everything; if its type was seen before, only what the rules of the kind may decide; later,
 * hardly anything.
 */
const full = 0
const light = 1
const minimal = 2
/** By tier, the mutations with which objects are created, and those with which they are replaced. */
const created = [() => true, m => m.light, m => ['the example', 'null'].includes(m.sort)]
const replaced = [() => true, m => m.light, m => ['another', 'absent'].includes(m.sort)]

/** `mutations` returns what is tried in a field: of its schemas, the example that it holds, what follows references, its path and the area's random numbers. */
export const walkWith =
  mutations =>
  async ({ cluster, send, options, random }) => {
    const bodies = (await scenarioBodies()).map(found => ({ ...named(found), path: found.path }))
    const kinds = cluster.resources
      .filter(r => r.verbs.includes('create') && !left.includes(r.group) && r.resource !== 'selfsubjectrulesreviews')
      .map((kind, i) => ({ kind, i }))
      .sort((a, b) => rank(a.kind) - rank(b.kind) || a.i - b.i)
      .map(({ kind }) => kind)
    const wanted = kinds.filter(({ resource, group, version }) => {
      const names = [resource, `${resource}.${group}`, `${resource}.${version}.${group}`, group]
      return options.kind === undefined || options.kind.some(name => names.includes(name))
    })
    const seen = new Map()
    return {
      /** Yields the visits: { kind, field, run }, where `run` gives its requests to a function that sends and compares them. */
      async *visits() {
        for (const kind of wanted) yield* visitsOfKind(kind)
      }
    }

    /** Returns how much is sent for a field: less each time its type occurs again. */
    function tierOf({ resource }, { schemas, parent, path }, way, isFirst = true) {
      const name = `${way} ${typeOf(parent) ?? ''}.${path.at(-1)}`
      const owner = owners.find(([type]) => schemas.some(schema => typeOf(schema)?.endsWith(type)))?.[1] ?? resource
      if (!isFirst) return owner === resource ? light : minimal
      const tier = seen.get(name) ?? (owner === resource ? full : light)
      seen.set(name, tier + 1)
      return tier
    }

    async function* visitsOfKind(kind) {
      const types = await cluster.schemaOf(kind)
      const examples = new Examples(types.follow)
      for (const other of cluster.resources.filter(r => r.group === kind.group && r.version === kind.version)) {
        const found = await cluster.schemaOf(other)
        if (found.schema && other.verbs.includes('create')) await learn(examples, other, found.schema)
      }
      const collection = collectionOf(cluster, kind)
      const known = basesOf(kind, bodies).slice(0, Number(options.bases))
      for (const [number, found] of known.entries()) {
        const base = JSON.parse(JSON.stringify(named(found)).replaceAll('$ID', '$RUN'))
        if (base.metadata.name === undefined || /^[$\w-]+$/.test(base.metadata.name)) base.metadata.name = `$RUN-${number}`
        delete base.metadata.generateName
        if (JSON.stringify(base).includes('${')) continue
        const isFirst = number === 0
        // if all objects had the same name, they would collide
        const alone = !base.metadata.name.includes('$RUN')
        for (const visit of visitsOf({ ...types, base, examples })) {
          const [root] = visit.path
          const isStatus = root === 'status' && visit.path.length > 1
          if (isStatus && kind.subresources.some(s => s.name === 'status')) continue
          yield made(visit, { alone, kind, base, types, collection, through: '', tier: tierOf(kind, visit, '', isFirst) })
        }
        for (const { name, verbs } of kind.subresources) {
          if (!isFirst) continue
          if (children[name]) yield* visitsOfChild(name, { alone, kind, base, collection })
          if (!parts[name] || !verbs.includes('update')) continue
          const from = parts[name].filter(key => types.schema.properties[key] || key !== 'status').slice(0, 1)
          if (!types.follow(types.schema).properties[from[0]]) continue
          for (const visit of visitsOf({ ...types, base, examples, from })) {
            if (parts[name].some((key, i) => visit.path[i] !== key)) continue
            yield made(visit, {
              alone,
              kind,
              base,
              types,
              collection,
              through: `/${name}`,
              tier: tierOf(kind, visit, name)
            })
          }
        }
      }
    }

    async function* visitsOfChild(name, { alone, kind, base, collection }) {
      const child = children[name]
      const types = await cluster.schemaOf(child.type, kind)
      const body = child.body(base.metadata.name)
      for (const visit of visitsOf({ ...types, base: body, examples: new Examples(types.follow) })) {
        const tier = tierOf(kind, visit, name)
        yield made(visit, { alone, kind, base, types, collection, through: `/${name}`, tier, child })
      }
    }

    /** Learns examples from objects that kube-apiserver accepts. */
    async function learn(examples, kind, schema) {
      const path = `${collectionOf(cluster, kind)}?dryRun=All&fieldValidation=Strict`
      for (const base of basesOf(kind, bodies)) {
        const [answer] = await send({ path, body: base }, 0)
        if (answer?.status === 201) examples.learn(base, schema)
      }
    }

    function made(visit, { alone, ...of }) {
      const { kind, through } = of
      const field = visit.path.map(key => (typeof key === 'number' ? '*' : key)).join('.')
      return {
        alone,
        kind: `${kind.resource}.${kind.version}.${kind.group}${through}`,
        field,
        run: ask =>
          run(visit, of, (request, ...labels) => ask(conditions[kind.resource] ? { ...request, pick } : request, ...labels))
      }
    }

    async function run(visit, { kind, base, types, collection, through, tier, child }, ask) {
      const { path, object, schemas, grafted } = visit
      const { follow } = types
      const example = at(object, path)
      const all = mutations({ schemas, example, follow, path, random, options })
      if (all.length === 0) return
      const create = async (url, body) => {
        for (const mutation of all.filter(created[Math.min(tier, minimal)]))
          await one(ways.create, 'create', { collection: url, object: body, path }, mutation, ask)
      }
      if (through === '') await create(collection, renamed(object, '-new'))
      if (!kind.verbs.includes('update')) return
      const given = { path, schemas, follow, object }
      if (child)
        return withStored({ kind, collection, body: base }, async ({ url, suffix }) => {
          const to = `${url}${through}`
          if (child.posted) return create(to, renamed(object, suffix))
          const stored = (await send({ path: to })).map(answer => JSON.parse(answer.body))
          await update({ ...given, url: to, stored, written: renamed(object, suffix) }, { all, tier, through, ask })
        })
      const bodies = through === '' && grafted ? [object, base] : [base]
      for (const body of bodies) {
        const done = await withStored({ kind, collection, body }, ({ url, stored, written }) =>
          update({ ...given, url: `${url}${through}`, stored, written }, { all, tier, through, ask })
        )
        if (!done) continue
        // adding the field is a different change
        if (body === object && grafted && tier <= light)
          await withStored({ kind, collection, body: base }, async ({ url, stored, written }) => {
            const target = completedFor({ ...given, url, stored, written })
            await one(ways.put, 'put', target, { sort: 'added', value: example }, ask)
          })
        return
      }
    }

    /** Creates an object on both servers, and deletes it again. Returns whether both accepted it. */
    async function withStored({ kind, collection, body }, use) {
      const suffix = `-${++names}`
      const written = renamed(body, suffix)
      const answers = await send({ path: collection, body: written })
      const stored = answers.map(answer => (answer?.status === 201 ? JSON.parse(answer.body) : undefined))
      try {
        if (stored.includes(undefined)) return false
        const url = `${collection}/${encodeURIComponent(stored[0].metadata.name)}`
        await use({ url, stored: await settled(kind, collection, stored), written, suffix })
        return true
      } finally {
        for (const i of [0, 1]) if (stored[i]) await drop(i, stored[i], collection)
      }
    }

    /** Returns the objects once controllers in the server have added their conditions. */
    async function settled({ resource }, collection, stored) {
      const last = conditions[resource]
      if (!last) return stored
      const path = `${collection}/${stored[0].metadata.name}`
      const isSettled = ({ status }) =>
        status.conditions?.some(({ type, status: is }) => type === last && (is === 'True' || last === 'Dangling'))
      for (let tries = 0; ; tries++) {
        const now = (await send({ path })).map(answer => JSON.parse(answer.body))
        if (now.every(isSettled) || tries > 50) return now
        await setTimeout(50)
      }
    }

    async function update(given, { all, tier, through, ask }) {
      const target = completedFor(given)
      const chosen = all.filter(replaced[Math.min(tier, minimal)])
      for (const mutation of chosen) await one(ways.put, 'put', target, mutation, ask)
      if (tier > light) return
      const patched = all.filter(m => (tier === full ? m.light : ['another', 'null', 'absent'].includes(m.sort)))
      for (const mutation of patched) {
        await one(ways.mergePatch, 'merge', target, mutation, ask)
        await one(ways.applyPatch, 'apply', target, mutation, ask)
        if (tier !== full && through === '') continue
        await one(ways.strategicPatch, 'strategic', target, mutation, ask)
        await one(ways.jsonPatch, 'json', { ...target, stored: given.stored }, mutation, ask)
      }
    }

    async function one(way, name, target, mutation, ask) {
      const request = way(target, mutation)
      if (request) await ask(request, name, mutation.sort)
    }

    async function drop(i, { metadata }, collection) {
      const path = `${collection}/${encodeURIComponent(metadata.name)}`
      const only = request => send(request, i)
      if (metadata.finalizers)
        await only({ method: 'PATCH', path, body: { metadata: { finalizers: null } }, headers: { 'content-type': merge } })
      await only({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` })
    }
  }

export const area = walkWith(({ schemas, example, follow }) => mutationsOf(schemas.at(-1), example, follow))

let names = 0

/**
 * Returns an object with its managers in a fixed order: they are ordered by the second in which each wrote, which depends on
 * controllers.
 */
function pick(body) {
  const keyOf = ({ manager, operation, subresource }) => `${manager} ${operation} ${subresource}`
  body.metadata?.managedFields?.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return body
}

/** Adds what contains the field, which the stored object may lack, as the example has it. */
const completedFor = given => ({
  ...given,
  stored: given.stored.map(stored => completed(stored, given.object, given.path)),
  written: completed(given.written, given.object, given.path)
})

/** Renames the object in all places, where the kind leaves the name open. */
function renamed(object, suffix) {
  return object.metadata?.name?.includes?.('$RUN')
    ? JSON.parse(JSON.stringify(object).replaceAll('$RUN', `$RUN${suffix}`))
    : object
}

/** Copies an object with the parents of a field as another object has them. */
function completed(object, from, path) {
  let missing = 0
  let value = object
  for (const key of path.slice(0, -1)) {
    if (value === null || typeof value !== 'object' || value[key] === undefined) break
    value = value[key]
    missing++
  }
  if (missing === path.length - 1) return object
  const copy = structuredClone(object)
  const holder = at(copy, path.slice(0, missing))
  if (holder !== null && typeof holder === 'object') holder[path[missing]] = structuredClone(at(from, path.slice(0, missing + 1)))
  return copy
}
