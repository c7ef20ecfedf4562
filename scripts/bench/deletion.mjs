#!/usr/bin/env node
// Measures what deleting an object with many dependents costs other requests.
//
//   npm run build && node scripts/bench/deletion.mjs [DEPENDENTS] [memory|lmdb] [Background|Foreground|namespace]
//
// Runs one server in this process, creates an owner with its dependents, and deletes the owner. Until the last dependent is
// gone, it reads and writes other objects. Prints the total time, the delay of the event loop, and the latency of the requests.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from '../../dist/index.js'

const count = Number(process.argv[2] ?? 10_000)
const storageBackend = process.argv[3] ?? 'lmdb'
const propagation = process.argv[4] ?? 'Background'
const user = { name: 'bench', groups: ['system:masters'] }
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-bench-'))
const server = createServer({ storageBackend, dataDir })
await server.start()

const ask = async (method, url, body) => {
  const answer = await server.inject({
    method,
    url,
    user,
    ...(body ? { body } : {}),
    headers: { 'content-type': 'application/json' }
  })
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.status} ${answer.body}`)
  return answer.json()
}
const at = '/api/v1/namespaces/many'
const dependents = `${at}/configmaps?labelSelector=made%3Dhere&limit=1`
await ask('POST', '/api/v1/namespaces', { metadata: { name: 'many' } })
const owner = await ask('POST', `${at}/secrets`, { metadata: { name: 'owner' } })
const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: owner.metadata.uid, blockOwnerDeletion: true }]
const started = performance.now()
for (let made = 0; made < count; made += 100)
  await Promise.all(
    Array.from({ length: Math.min(100, count - made) }, (_, i) =>
      ask('POST', `${at}/configmaps`, { metadata: { name: `d${made + i}`, labels: { made: 'here' }, ownerReferences } })
    )
  )
console.log(`${count} dependents made in ${Math.round(performance.now() - started)} ms`)
await wait(500)

const delay = monitorEventLoopDelay({ resolution: 1 })
const reads = []
const writes = []
const timed = async (list, ...request) => {
  const from = performance.now()
  await ask(...request)
  list.push(performance.now() - from)
}
await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'other' } })
delay.enable()
const from = performance.now()
if (propagation === 'namespace') await ask('DELETE', '/api/v1/namespaces/many')
else await ask('DELETE', `${at}/secrets/owner`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: propagation })
for (let i = 0; ; i++) {
  await timed(reads, 'GET', '/api/v1/namespaces/default/configmaps/other')
  await timed(writes, 'PUT', '/api/v1/namespaces/default/configmaps/other', {
    metadata: { name: 'other' },
    data: { i: String(i) }
  })
  if ((await ask('GET', dependents)).items.length === 0) break
  await wait(5)
}
const took = performance.now() - from
delay.disable()

const ms = nanoseconds => (nanoseconds / 1e6).toFixed(1)
const at99 = list => list.sort((a, b) => a - b)[Math.floor(list.length * 0.99)].toFixed(1)
console.log(`${propagation}, ${storageBackend}: all gone after ${Math.round(took)} ms`)
console.log(`event loop delay: mean ${ms(delay.mean)}, p99 ${ms(delay.percentile(99))}, max ${ms(delay.max)} ms`)
console.log(
  `others meanwhile: reads p99 ${at99(reads)} ms, max ${reads.at(-1).toFixed(1)} ms; writes p99 ${at99(writes)} ms, max ${writes.at(-1).toFixed(1)} ms`
)
await server.stop()
fs.rmSync(dataDir, { recursive: true })
