// Measures how a server grows: reads, writes, start and memory with 1,000 to 1,000,000 objects, a list of everything with slow readers,
// and 500 definitions of custom resources. Prints tables as docs/sizes.md has them.
//
//   npm run bench -- --growth [--sizes=1000,10000,100000] [--definitions=500] [--readers=20]
//
// A server of its own takes the objects of one namespace as clients write them: ConfigMaps, Pods with status and managedFields, their
// ReplicaSets, a custom resource. The other namespaces are copies with other names and uids, which a preparing process writes through the store, each
// in a commit of its own: a million objects take a minute and a half, and 2.5 GB of disk.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { BenchClient } from './client.mjs'
import { measureDefinitions } from './growth/definitions.mjs'
import { copyNamespace, seed } from './growth/objects.mjs'
import { measureReads, measureSlowReaders, measureWrites } from './growth/requests.mjs'
import { idle, makeFolder, startServer } from './server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values: options } = parseOptions({
  options: {
    sizes: { type: 'number', list: true, default: [1000, 10_000, 100_000] },
    definitions: { type: 'number', default: 500 },
    readers: { type: 'number', default: 20 }
  }
})
const { sizes, definitions, readers } = options

const directory = makeFolder('growth')

/** Starts a server on a folder. Resolves when /readyz says so. */
async function start(data) {
  const began = performance.now()
  const server = await startServer(directory, { data })
  const client = new BenchClient(server)
  const listening = performance.now() - began
  while ((await client.get('/readyz')).status !== 200) await new Promise(resolve => setTimeout(resolve, 5))
  const ready = performance.now() - began
  return {
    client,
    times: { listening, ready, cpu: client.cpu() },
    async stop() {
      client.close()
      await server.stop()
    }
  }
}

/** Resolves when the background work of a start is done, and memory has been given back. */
const settled = ({ client }) => idle(() => client.cpu())

const tables = new Map()
const note = (table, row, column, value) => {
  const rows = tables.get(table) ?? new Map()
  tables.set(table, rows.set(row, (rows.get(row) ?? new Map()).set(column, value)))
}
const progress = text => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

function print() {
  for (const [table, rows] of tables) {
    const columns = [...new Set([...rows.values()].flatMap(row => [...row.keys()]))]
    console.log(`\n| ${[table, ...columns].join(' | ')} |\n| ${['---', ...columns.map(() => '---:')].join(' | ')} |`)
    for (const [row, cells] of rows) console.log(`| ${[row, ...columns.map(column => cells.get(column) ?? '')].join(' | ')} |`)
  }
}

const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`

async function measureSize(size, template, empty) {
  const column = size.toLocaleString('en')
  const set = (row, value) => note('objects', row, column, value)
  const data = path.join(directory, `data-${size}`)
  fs.cpSync(template, data, { recursive: true })
  progress(`${column}: writing`)
  const { objects, json, seconds } = await copyNamespace(root, data, size)
  set('objects in the store', objects.toLocaleString('en'))
  set('their JSON', megabytes(json))
  set('written by the preparing process in', `${seconds.toFixed(1)} s`)
  progress(`${column}: start`)
  // the first start after the copy warms the disk cache of the system, so that the second one measures the server
  await (await start(data)).stop()
  const server = await start(data)
  try {
    set('start: process to ready', `${Math.round(server.times.ready)} ms`)
    set('CPU until ready', `${server.times.cpu} ms`)
    await settled(server)
    const { client } = server
    set('CPU until idle', `${client.cpu()} ms`)
    const memory = row => {
      const { rss, pss, anonymous } = client.memory()
      set(`RSS (own, LMDB's map) ${row}`, `${megabytes(rss)} (${megabytes(anonymous)}, ${megabytes(rss - anonymous)})`)
      set(`PSS ${row}`, megabytes(pss))
      set(`RSS beyond an empty server's ${row}, per byte of JSON`, ((rss - empty) / json).toFixed(2))
    }
    memory('after start')
    progress(`${column}: reads`)
    await measureReads(client, set)
    await settled(server)
    memory('after reads')
    progress(`${column}: slow readers`)
    await measureSlowReaders(client, readers, set)
    progress(`${column}: writes`)
    await measureWrites(client, set)
    set('data folder', megabytes(fs.statSync(path.join(data, 'store', 'data.mdb')).blocks * 512))
  } finally {
    await server.stop()
    fs.rmSync(data, { recursive: true })
  }
}

try {
  const template = path.join(directory, 'template')
  // what the first start on a folder writes does not count
  await (await start(template)).stop()
  const server = await start(template)
  await settled(server)
  const empty = server.client.memory().rss
  progress('writing the objects of one namespace')
  await seed(server.client)
  await settled(server)
  await server.stop()
  for (const size of sizes) await measureSize(size, template, empty)
  if (definitions > 0)
    await measureDefinitions({ start, settled, directory, count: definitions, progress, set: (...cells) => note(...cells) })
} finally {
  print()
  fs.rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
