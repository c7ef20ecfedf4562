#!/usr/bin/env node
// Measures what processes add and cost: requests per second, CPU time of the whole server per request, and memory, with several
// numbers of processes in turn, so that what else the machine does hits all of them.
//
//   node scripts/bench/workers.mjs [--workers=1,2] [--rounds=3] [--seconds=4] [--pods=2000]
//
// The client is wrk, which takes a fraction of what the server takes per request; on a machine of two processors that is still
// noticeable, so the CPU time per request says more than the requests per second. With etcd, ETCD=URL names it.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseOptions } from '../shared/options.mjs'
import { BenchClient } from './client.mjs'
import { cpuOf, memoryOf, withChildren } from './process.mjs'
import { headers, makeFolder, startServer } from './server.mjs'

const { values } = parseOptions({
  options: {
    workers: { type: 'number', least: 1, list: true, default: [1, 2] },
    rounds: { type: 'number', default: 3 },
    seconds: { type: 'number', default: 4 },
    pods: { type: 'number', default: 2000 }
  }
})
if (spawnSync('which', ['wrk']).status !== 0) throw new Error('wrk is missing (the Debian package wrk)')
const seconds = Number(values.seconds)

const podOf = name => ({
  metadata: { ...name, labels: { app: 'bench' } },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1.2.3', env: [{ name: 'A', value: '1' }] }] }
})

async function start(workers) {
  const folder = makeFolder('workers')
  const store = process.env.ETCD
    ? ['--storage-backend=etcd3', `--etcd-servers=${process.env.ETCD}`, `--etcd-prefix=/bench-${process.pid}-${workers}`]
    : []
  const server = await startServer(folder, { flags: [`--workers=${workers}`, ...store] })
  const client = new BenchClient(server)
  return {
    url: server.url,
    client,
    pids: withChildren(server.pid),
    async stop() {
      client.close()
      await server.stop()
      fs.rmSync(folder, { recursive: true })
    }
  }
}

/** Returns the milliseconds of CPU time of each process. */
const cpu = pids => pids.map(cpuOf)
const sum = numbers => numbers.reduce((total, one) => total + one, 0)

/** Returns the megabytes of each process; PSS counts a part of what several share. */
const memory = pids =>
  pids.map(pid => {
    const { rss, pss } = memoryOf(pid)
    return { rss: Math.round(rss / 2 ** 20), pss: Math.round(pss / 2 ** 20) }
  })

/** Each wrk thread has names of its own for what it writes. */
const scripts = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-wrk-'))
function script(name, lua) {
  const file = path.join(scripts, `${name}.lua`)
  fs.writeFileSync(file, lua)
  return file
}
const create = script(
  'create',
  `wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = [[${JSON.stringify(podOf({ generateName: 'made-' }))}]]`
)
const patch = script(
  'patch',
  `local n = 0
wrk.method = "PATCH"
wrk.headers["content-type"] = "application/merge-patch+json"
request = function()
  n = n + 1
  local pod = math.random(0, ${Number(values.pods) - 1})
  return wrk.format(nil, wrk.path .. "/pod-" .. pod, nil, '{"metadata":{"annotations":{"n":"' .. n .. '"}}}')
end`
)

function load(server, url, connections, lua, more = []) {
  const before = cpu(server.pids)
  const args = ['-t2', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-H', `authorization: ${headers.authorization}`]
  const out = execFileSync('wrk', [...args, ...more, ...(lua ? ['-s', lua] : []), url], { encoding: 'utf8' })
  const spent = cpu(server.pids).map((after, i) => after - before[i])
  const requests = Number(/(\d+) requests in/.exec(out)[1])
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1] ?? 0)
  return {
    perSecond: Math.round(requests / seconds),
    cpuMicros: Math.round((sum(spent) * 1000) / requests),
    // the share of the processors' time that each process had
    busy: spent.map(one => +(one / seconds / 1000).toFixed(2)),
    ...(failed > 0 && { failed })
  }
}

async function measure(workers) {
  const server = await start(workers)
  try {
    const collection = '/api/v1/namespaces/default/pods'
    const pods = server.url + collection
    const empty = memory(server.pids)
    await server.client.measure(Number(values.pods), 16, i => server.client.must('POST', collection, podOf({ name: `pod-${i}` })))
    const full = memory(server.pids)
    // newly loaded code is slow, in each process separately
    for (const lua of [undefined, patch, create]) load(server, lua ? pods : `${pods}/pod-7`, 32, lua)
    const result = {
      workers,
      get: load(server, `${pods}/pod-7`, 32),
      listByLimit: load(server, `${pods}?limit=100`, 16),
      patch: load(server, pods, 32, patch),
      create: load(server, pods, 32, create),
      // a connection for each request
      connect: load(server, `${pods}/pod-7`, 16, undefined, ['-H', 'connection: close']),
      memory: { empty, full }
    }
    return result
  } finally {
    await server.stop()
  }
}

for (let round = 0; round < Number(values.rounds); round++)
  for (const workers of values.workers) console.log(JSON.stringify(await measure(workers)))
fs.rmSync(scripts, { recursive: true })
