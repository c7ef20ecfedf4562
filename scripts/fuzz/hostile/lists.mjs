#!/usr/bin/env node
/**
 * Looks for requests with which one client could keep the server busy or take its memory. For each list and map in the schema of each
 * kind it starts from valid objects and puts many items there: different, equal, empty and null ones.
 *
 * - A dry run of a create as large as a body may be: prints those that block others for longer than --limit milliseconds, take more
 *   than --memory MB, or have an answer larger than that.
 * - A few items and four times as many, in each way to write an object: prints those whose time grows more than seven times.
 *
 * Times are noisy: a line is a reason to look, not a verdict. Build first.
 *
 *   node scripts/fuzz/hostile/lists.mjs [--kinds=pods,secrets] [--ways=create,update,strategic,merge,apply] [--items=4000] [--limit=250]
 *     [--memory=200] [--all] [PART-OF-PATH…]
 *
 * A type that several kinds have is tried in the first one only, unless --all is given. Progress goes to stderr.
 */
import { basesOf, scenarioBodies } from '../../compare/bases.mjs'
import { parseOptions } from '../../shared/options.mjs'
import { Items, otherOrder, sorts } from './lists/items.mjs'
import { measured, shown } from './lists/measure.mjs'

const everyWay = ['create', 'update', 'strategic', 'merge', 'apply']
const { values, positionals: parts } = parseOptions({
  allowPositionals: true,
  options: {
    kinds: { type: 'string', list: true },
    ways: { type: 'string', list: true, choices: everyWay, default: everyWay },
    items: { type: 'number', least: 1, default: 4000 },
    limit: { type: 'number', default: 250 },
    memory: { type: 'number', default: 200 },
    all: { type: 'boolean', default: false }
  }
})
const { kinds, ways, items: few, limit, memory } = values
/** Milliseconds below which a request is too fast to be compared. */
const fast = 12
const growth = 7
/** What a body may have. */
const most = { bytes: 3_000_000, values: 95_000, keys: 50_000 }

const { createServer } = await import(new URL('../../../build/index.js', import.meta.url))
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
let tried = 0

function send(method, url, body, type = 'application/json') {
  tried++
  const headers = { 'content-type': type }
  return server.inject({ method, url, user, body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)), headers })
}

const patchTypes = { strategic: 'strategic-merge-patch', merge: 'merge-patch', apply: 'apply-patch' }

/** Sends the object in one way; the one before it is stored first, where the way needs one. */
async function sendIn(way, collection, object, before) {
  if (way === 'create') return measured(() => send('POST', `${collection}?dryRun=All`, object))
  const url = `${collection}/${object.metadata.name}`
  if (way !== 'apply' && (await send('POST', collection, before)).status !== 201) return undefined
  const query = way === 'apply' ? '?dryRun=All&fieldManager=m&force=true' : '?dryRun=All'
  const type = way === 'update' ? undefined : `application/${patchTypes[way]}+${way === 'apply' ? 'yaml' : 'json'}`
  const answer = await measured(() => send(way === 'update' ? 'PUT' : 'PATCH', url + query, object, type))
  if (way !== 'apply') await send('DELETE', `${url}?gracePeriodSeconds=0`, {})
  return answer
}

/** The best of several requests: collecting garbage and compiling come in between. */
async function best(ask, enough) {
  let least
  for (let i = 0; i < 3; i++) {
    const answer = await ask()
    if (!answer || answer.total < enough) return answer
    if (!least || answer.total < least.total) least = answer
  }
  return least
}

/** The largest body that is accepted. */
function largest(make, { isList }) {
  const text = count => JSON.stringify(make(count))
  const sample = text(100)
  const one = (sample.length - text(0).length) / 100
  const parts = (sample.match(/[,[{]/g).length - text(0).match(/[,[{]/g).length) / 100
  const count = Math.min(isList ? most.values : most.keys, most.bytes / one, most.values / Math.max(1, parts))
  return Buffer.from(text(Math.floor(count)))
}

async function tryLargest(title, collection, place, make) {
  const body = largest(make, place)
  const ask = () => measured(() => send('POST', `${collection}?dryRun=All`, body))
  const isBad = ({ longest, memory: taken, length }) => longest > limit || taken > memory || length > memory * 1e6
  for (let i = 0; i < 3; i++) {
    const answer = await ask()
    if (!isBad(answer)) return
    if (i === 2) console.log(`${title}: a body of ${body.length} bytes ${shown(answer)}`)
  }
}

async function tryGrowth(title, way, collection, place, make) {
  const ask = async count => {
    const object = make(count)
    const isNew = way === 'create' || way === 'apply'
    return sendIn(way, collection, isNew ? object : otherOrder(object, place), object)
  }
  const small = await best(() => ask(few), fast)
  if (!small || small.total < fast) return
  const isSteep = (less, more) => more && more.total > growth * less.total
  const large = await best(() => ask(4 * few), growth * small.total)
  if (!isSteep(small, large)) return
  // others may have had the machine meanwhile
  const again = await best(() => ask(few), 0)
  if (isSteep(again, await best(() => ask(4 * few), growth * again.total)))
    console.log(
      `${title}: ${few} items take ${small.total.toFixed()} ms, ${4 * few} take ${large.total.toFixed()} (${large.status})`
    )
}

/** Names without what the recorded scenarios put in for names. */
function named({ metadata, ...rest }) {
  const { namespace: _, ...meta } = metadata ?? {}
  return { ...rest, metadata: { ...meta, name: meta.name?.replaceAll('$', 'x').toLowerCase() ?? 'a' } }
}

function basesFor(kind) {
  try {
    return basesOf(kind, bodies).slice(0, 3).map(named)
  } catch {
    // reviews have no sample
    const { group, version, kind: name } = kind
    return [{ apiVersion: group === '' ? version : `${group}/${version}`, kind: name, metadata: { name: 'a' }, spec: {} }]
  }
}

const seen = values.all ? undefined : new Set()

async function tryKind({ group, version, root }, { name: resource, kind, namespaced }, schemas) {
  const isKind = known => known.group === group && known.version === version && known.kind === kind
  const schema = Object.values(schemas).find(each => each['x-kubernetes-group-version-kind']?.some(isKind))
  if (!schema) return
  const collection = `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`
  const items = new Items(schemas)
  const bases = basesFor({ group, version, resource, kind })
  for (const place of items.places(schema, seen)) {
    const path = place.path.join('.')
    if (parts.length > 0 && !parts.some(part => `${resource}.${path}`.includes(part))) continue
    process.stderr.write(`${tried} requests, ${Math.round(performance.now() / 1000)} s: ${resource}.${path}\n`)
    for (const sort of sorts)
      for (const base of sort === 'null' || sort === 'empty' ? bases.slice(0, 1) : bases) {
        const make = count => items.filled(base, schema, place, sort, count)
        const title = `${resource}.${path}, ${sort} items`
        try {
          await tryLargest(title, collection, place, make)
          if (sort === 'null' || sort === 'empty') continue
          for (const way of ways) await tryGrowth(`${title}, ${way}`, way, collection, place, make)
        } catch (error) {
          console.log(`${title}: ${error.stack}`)
        }
      }
  }
}

const groups = [{ group: '', version: 'v1', root: '/api/v1' }]
for (const { name, versions } of (await get('/apis')).groups)
  for (const { version, groupVersion } of versions) groups.push({ group: name, version, root: `/apis/${groupVersion}` })

for (const group of groups) {
  const { resources = [] } = await get(group.root)
  const { schemas } = (await get(`/openapi/v3${group.root}`)).components
  for (const resource of resources)
    if (!resource.name.includes('/') && resource.verbs.includes('create') && (!kinds || kinds.includes(resource.name)))
      await tryKind(group, resource, schemas)
}
console.log(`${tried} requests`)
await server.stop()
process.exit()
