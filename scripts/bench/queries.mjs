/**
 * Measures queries over many custom resources: with an index, without, sorted, in pages; and sets, by which they are created.
 * After `npm run build`: node scripts/bench/queries.mjs [objects]
 */
import { createServer } from '../../build/index.js'

const count = Number(process.argv[2] ?? 50_000)
const silent = () => {}
const log = { info: silent, warn: silent, error: silent, debug: silent, verbosity: 0 }
const field = { subject: { type: 'string' }, seats: { type: 'integer' }, room: { type: 'string' }, text: { type: 'string' } }
const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: field } } } }
const course = {
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [{ name: 'v1', schema }],
  indexes: ['.spec.subject', '.spec.seats']
}
const server = createServer({ kinds: [course], log })
await server.start()
const client = server.client()
const apiVersion = 'school.example.com/v1'

const spec = i => ({ subject: `s${i}`, seats: i, room: `r${i}`, text: 'x'.repeat(300) })
const perSet = 500
const began = performance.now()
for (let i = 0; i < count; i += perSet)
  await client.writeSet(
    Array.from({ length: Math.min(perSet, count - i) }, (_, j) => ({
      operation: 'create',
      object: { apiVersion, kind: 'Course', metadata: { name: `c-${i + j}`, namespace: 'default' }, spec: spec(i + j) }
    }))
  )
console.log(`${count} objects in sets of ${perSet}: ${((performance.now() - began) / count).toFixed(3)} ms per object`)

const url = '/apis/school.example.com/v1/namespaces/default/courses'
async function measure(name, query, rounds) {
  const times = []
  let items = 0
  for (let i = 0; i < rounds; i++) {
    const given = new URLSearchParams(typeof query === 'function' ? query(i) : query)
    const start = performance.now()
    const answer = await server.inject({ url: `${url}?${given}`, user: { name: 'me', groups: ['system:masters'] } })
    times.push(performance.now() - start)
    const body = answer.json()
    if (answer.status !== 200) throw new Error(body.message)
    items = body.items.length
  }
  const [first] = times
  times.sort((a, b) => a - b)
  const median = times[times.length >> 1]
  console.log(`${name}: ${items} items, first ${first.toFixed(2)} ms, median ${median.toFixed(3)} ms`)
}

const filter = text => ({ 'binnacle.filter': text })
await measure('equality, indexed', i => filter(`object.spec.subject == 's${(i * 37) % count}'`), 200)
await measure('equality, indexed, the same again', filter(`object.spec.subject == 's77'`), 200)
await measure('in, indexed', filter(`object.spec.subject in ['s1', 's2', 's3']`), 200)
await measure('equality, scanned', filter(`object.spec.room == 'r77'`), 5)
await measure('range, indexed', filter('object.spec.seats >= 100 && object.spec.seats < 110'), 20)
await measure('first page by an indexed field', i => ({ 'binnacle.orderBy': 'spec.seats desc', limit: String(10 + (i % 5)) }), 20)
await measure('first page by another field', { 'binnacle.orderBy': 'spec.room', limit: '10' }, 5)
await measure('unsorted, whole', {}, 3)
await server.stop()
