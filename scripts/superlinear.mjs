#!/usr/bin/env node
// Looks for requests whose time grows faster than their size: what a hostile client would use to keep the server busy. For each list and
// map in the schema of each kind it sends objects with N and 4 N items there, created, updated, patched and applied. Build first.
//
//   node scripts/superlinear.mjs [--kinds=pods,secrets] [--items=3000] [--ways=create,update,strategic,merge,apply]
//
// Prints a line for each place where four times the items take more than seven times as long. Times are noisy: a line is a reason to
// look, not a verdict.
import { parseArgs } from 'node:util'
import { basesOf, scenarioBodies } from './compare/bases.mjs'

const { createServer } = await import(new URL('../build/index.js', import.meta.url))
const { values } = parseArgs({
  options: {
    kinds: { type: 'string' },
    items: { type: 'string', default: '3000' },
    ways: { type: 'string', default: 'create,update,strategic,merge,apply' }
  }
})
const kinds = values.kinds?.split(',')
const ways = values.ways.split(',')
const few = Number(values.items)
const many = 4 * few
/** Milliseconds below which a request is too fast to be compared. */
const fast = 15
const growth = 7

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ listen: false, log: { info() {}, warn() {}, error() {}, debug() {} } })
await server.start()
const get = async url => (await server.inject({ url, user })).json()
const bodies = (await scenarioBodies()).map(body =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/\$\{ns\}/g, 'default')
      .replace(/\$\{id\}/g, '1')
  )
)

/** What is sent where there is nothing to start from: `differ` makes items with other names, or all equal. */
class Items {
  constructor(schemas, differ) {
    this.schemas = schemas
    this.differ = differ
  }

  resolved(schema) {
    if (schema?.$ref) return this.resolved(this.schemas[schema.$ref.split('/').pop()])
    if (schema?.allOf) return { ...schema, ...this.resolved(schema.allOf[0]) }
    return schema ?? {}
  }

  /** The lists and maps of a schema, as paths; `0` and `k` stand for an item of a list and of a map. */
  *places(schema, path = [], around = []) {
    const { type, items, additionalProperties, properties, description } = this.resolved(schema)
    if (path.length > 9 || (properties && around.includes(description))) return
    const within = properties ? [...around, description] : around
    if (type === 'array') {
      yield { path, isList: true, item: items }
      yield* this.places(items, [...path, 0], within)
    } else if (additionalProperties) {
      yield { path, isList: false, item: additionalProperties }
      yield* this.places(additionalProperties, [...path, 'k'], within)
    } else
      for (const [name, value] of Object.entries(properties ?? {})) {
        if (path.length === 0 && name === 'status') continue
        yield* this.places(value, [...path, name], within)
      }
  }

  made(schema, i, name, depth = 0) {
    const { type, format, properties, required = [], items, oneOf } = this.resolved(schema)
    const number = this.differ ? i : 0
    if (type === 'integer' || type === 'number' || oneOf) return number + 1
    if (type === 'boolean') return true
    if (type === 'array') return depth > 3 ? [] : [this.made(items, i, name, depth + 1)]
    if (type === 'string') return textFor(name, format, number)
    const isTold = ([key, value]) =>
      required.includes(key) ||
      (depth < 1 &&
        /name|key|port|path|value|operator|effect|uid|kind|version/i.test(key) &&
        /string|integer/.test(this.resolved(value).type))
    const told = Object.entries(properties ?? {}).filter(isTold)
    return Object.fromEntries(told.map(([key, value]) => [key, this.made(value, i, key, depth + 1)]))
  }

  /** An item like one that is known to be valid. */
  varied(item, i) {
    if (!this.differ || item === null || typeof item !== 'object') return item
    if (Array.isArray(item)) return item.map(each => this.varied(each, i))
    return Object.fromEntries(
      Object.entries(item).map(([key, value]) => {
        if (typeof value === 'string' && /^(name|key|uid)$|path/i.test(key)) return [key, value + i]
        if (typeof value === 'number' && /^(port|containerPort|hostPort|index)$/.test(key)) return [key, 1 + (i % 65000)]
        return [key, this.varied(value, i)]
      })
    )
  }

  /** The object with `count` items at a place. */
  filled(base, root, { path, isList, item }, count) {
    const object = structuredClone(base)
    let at = object
    let schema = root
    for (const step of path.slice(0, -1)) {
      const { items, properties, additionalProperties } = this.resolved(schema)
      schema = typeof step === 'number' ? items : (properties?.[step] ?? additionalProperties)
      if (at[step] === null || typeof at[step] !== 'object') {
        const { type, properties } = this.resolved(schema)
        at[step] = type === 'array' ? [] : properties ? this.made(schema, 0, String(step)) : {}
      }
      at = at[step]
    }
    const last = path.at(-1)
    const known = isList && Array.isArray(at[last]) ? at[last][0] : undefined
    const one = i => (known && typeof known === 'object' ? this.varied(known, i) : this.made(item, i, String(last)))
    const items = Array.from({ length: count }, (_, i) => one(i))
    at[last] = isList ? items : Object.fromEntries(items.map((value, i) => [`k${i}`, value]))
    return object
  }
}

function textFor(name, format, number) {
  if (format === 'date-time') return '2020-01-01T00:00:00Z'
  if (format === 'byte') return 'YQ=='
  if (/path/i.test(name)) return `/a${number}`
  if (/ip$/i.test(name)) return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  return `a${number}`
}

async function timed(method, url, body, type = 'application/json') {
  const bytes = Buffer.from(JSON.stringify(body))
  const start = performance.now()
  const { status } = await server.inject({ method, url, user, body: bytes, headers: { 'content-type': type } })
  return { ms: performance.now() - start, status }
}

const patchTypes = { strategic: 'strategic-merge-patch', merge: 'merge-patch', apply: 'apply-patch' }

/** Sends the object in one way; the one before it is stored first, where the way needs one. */
async function send(way, collection, object, before) {
  if (way === 'create') return timed('POST', `${collection}?dryRun=All`, object)
  const { name } = object.metadata
  const url = `${collection}/${name}`
  if (way !== 'apply') {
    const { status } = await timed('POST', collection, before)
    if (status !== 201) return undefined
  }
  const query = way === 'apply' ? '?dryRun=All&fieldManager=m&force=true' : '?dryRun=All'
  const answer =
    way === 'update'
      ? await timed('PUT', url + query, object)
      : await timed('PATCH', url + query, object, `application/${patchTypes[way]}+${way === 'apply' ? 'yaml' : 'json'}`)
  if (way !== 'apply') await timed('DELETE', `${url}?gracePeriodSeconds=0`, {})
  return answer
}

/** The same items in the other order, and one of them gone. */
function otherOrder(object, { path, isList }) {
  const changed = structuredClone(object)
  let at = changed
  for (const step of path.slice(0, -1)) at = at[step]
  const last = path.at(-1)
  if (isList) at[last] = at[last].reverse().slice(1)
  else at[last] = Object.fromEntries(Object.entries(at[last]).reverse().slice(1))
  return changed
}

async function look(title, way, collection, at) {
  const ask = async count => {
    const before = at(count)
    return send(way, collection, way === 'create' || way === 'apply' ? before.object : before.changed, before.object)
  }
  /** The best of several: collecting garbage and compiling come in between. */
  const best = async (count, enough) => {
    let least
    for (let i = 0; i < 4; i++) {
      const answer = await ask(count)
      if (!answer) return undefined
      if (!least || answer.ms < least.ms) least = answer
      if (least.ms < enough) break
    }
    return least
  }
  const small = await best(few, fast)
  if (!small || small.ms < fast) return
  const large = await best(many, growth * small.ms)
  if (large && large.ms > growth * small.ms)
    console.log(`${title}: ${few} items take ${small.ms.toFixed()} ms, ${many} take ${large.ms.toFixed()} (${large.status})`)
}

const groups = [{ group: '', version: 'v1', root: '/api/v1' }]
for (const { name, versions } of (await get('/apis')).groups)
  for (const { version, groupVersion } of versions) groups.push({ group: name, version, root: `/apis/${groupVersion}` })

for (const { group, version, root } of groups) {
  const { resources = [] } = await get(root)
  const { schemas } = (await get(`/openapi/v3${root}`)).components
  for (const { name: resource, kind, namespaced, verbs } of resources) {
    if (resource.includes('/') || !verbs.includes('create') || (kinds && !kinds.includes(resource))) continue
    const isKind = known => known.group === group && known.version === version && known.kind === kind
    const schema = Object.values(schemas).find(each => each['x-kubernetes-group-version-kind']?.some(isKind))
    let bases = []
    try {
      bases = basesOf({ group, version, resource, kind }, bodies).slice(0, 3)
    } catch {
      // reviews have no sample
    }
    const collection = `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`
    for (const differ of [true, false]) {
      const items = new Items(schemas, differ)
      for (const base of bases) {
        base.metadata = { ...base.metadata, name: base.metadata?.name?.replaceAll('$', 'x').toLowerCase() ?? 'a' }
        delete base.metadata.namespace
        for (const place of schema ? items.places(schema) : []) {
          const at = count => {
            const object = items.filled(base, schema, place, count)
            return { object, changed: otherOrder(object, place) }
          }
          for (const way of ways) {
            const title = `${resource} ${way}, ${differ ? 'different' : 'equal'} items in ${place.path.join('.')}`
            await look(title, way, collection, at).catch(error => console.log(`${title}: ${error.message}`))
          }
        }
      }
    }
  }
}
await server.stop()
