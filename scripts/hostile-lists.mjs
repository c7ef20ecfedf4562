/**
 * Finds requests that block the event loop. For every list and map of every kind, it creates (as a dry run) objects with as many
 * small elements as a body can have: equal, different, with and without names. Prints those that block longer than --limit
 * milliseconds.
 *
 *   node scripts/hostile-lists.mjs [--limit 200] [--bytes 3000000] [PART-OF-PATH…]      e.g. pods.spec.containers
 */
import { parseArgs } from 'node:util'
import { createServer } from '../build/index.js'
import { builtinKinds } from '../build/kinds/index.js'
import { loadSchema } from '../build/schema/load.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string', default: '200' }, bytes: { type: 'string', default: '3000000' } }
})
const limit = Number(values.limit)
const bytes = Number(values.bytes)
const user = { name: 'admin', groups: ['system:masters'] }
const silent = { info() {}, warn() {}, error() {} }
/** Steps from an object to a list: deeper ones are the same types again. */
const maxDepth = 8

const server = createServer({ log: silent })
await server.start()

/** The texts that elements of a type are tried with. `i` makes them different. */
function elements(type) {
  if (type.kind === 'scalar') {
    if (['string', 'bytes', 'intOrString', 'quantity'].includes(type.scalar))
      return [i => `"a${i}"`, () => '"a"', () => '""', () => 'null']
    return [() => '1', i => String(i), () => 'null']
  }
  if (type.kind !== 'struct') return [() => (type.kind === 'list' ? '[]' : '{}')]
  const texts = type.fields.filter(f => f.type.kind === 'scalar' && f.type.scalar === 'string').slice(0, 3)
  const named = value => `{${texts.map(f => `"${f.name}":"${value}"`).join(',')}}`
  return texts.length > 0 ? [() => '{}', i => named(`a${i}`), () => named('a')] : [() => '{}']
}

/** Every list and map below a type, with the text before and after its elements. Each field of each struct once. */
function* collections(type, before, after, path, seen, depth = 0) {
  if (type.kind === 'list' || type.kind === 'map') {
    const of = type.kind === 'list' ? type.items : type.values
    const [open, close] = type.kind === 'list' ? ['[', ']'] : ['{', '}']
    yield { path, of, isMap: type.kind === 'map', before: before + open, after: close + after }
    if (type.kind === 'map') yield* collections(of, `${before}{"k":`, `}${after}`, `${path}.*`, seen, depth + 1)
    else yield* collections(of, `${before}[`, `]${after}`, `${path}[]`, seen, depth + 1)
  }
  if (type.kind !== 'struct' || depth > maxDepth) return
  for (const field of type.fields) {
    const key = `${type.name}.${field.name}`
    if (seen.has(key)) continue
    seen.add(key)
    yield* collections(field.type, `${before}{"${field.name}":`, `}${after}`, `${path}.${field.name}`, seen, depth + 1)
  }
}

function fill({ before, after, isMap }, element) {
  const parts = []
  for (let i = 0, size = 0; size < bytes; i++) {
    const part = isMap ? `"k${i}":${element(i)}` : element(i)
    parts.push(part)
    size += part.length + 1
  }
  return Buffer.from(before + parts.join(',') + after)
}

/** The longest time between two turns of the event loop while a request is answered. */
async function measure(url, body) {
  let longest = 0
  let last = performance.now()
  let done = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  const start = performance.now()
  const answer = await server.inject({ method: 'POST', url, user, body, headers: { 'content-type': 'application/json' } })
  const total = performance.now() - start
  await new Promise(setImmediate)
  done = true
  await new Promise(setImmediate)
  return { longest, total, status: answer.status, length: answer.body.length }
}

const seen = new Set()
let tried = 0
for (const kind of builtinKinds) {
  if (kind.virtual || kind.computed) continue
  for (const version of kind.versions.filter(v => v.served !== false)) {
    const group = kind.group === '' ? '/api' : `/apis/${kind.group}`
    const url = `${group}/${version.name}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.resource}?dryRun=All`
    const type = loadSchema().type(version.type)
    for (const collection of collections(type, '', '', kind.resource, seen)) {
      if (positionals.length > 0 && !positionals.some(part => collection.path.includes(part))) continue
      for (const element of elements(collection.of)) {
        const { longest, total, status, length } = await measure(url, fill(collection, element))
        tried++
        if (longest < limit) continue
        const example = element(1).slice(0, 40)
        console.log(
          `${longest.toFixed(0).padStart(6)} ms of ${total.toFixed(0)}  ${collection.path} ${example}  ${status}, ${length} bytes`
        )
      }
    }
  }
}
console.log(`${tried} requests`)
await server.stop()
process.exit()
