#!/usr/bin/env node
// Measures what processes add and cost: requests per second, CPU time of the whole server per request, and memory, with several
// numbers of processes in turn, so that what else the machine does hits all of them.
//
//   node scripts/bench-workers.mjs [--workers=1,2] [--rounds=3] [--seconds=4] [--pods=2000]
//
// The client is wrk, which takes a fraction of what the server takes per request; on a machine of two processors that is still
// noticeable, so the CPU time per request says more than the requests per second. With etcd, ETCD=URL names it.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    pods: { type: 'string', default: '2000' }
  }
})
if (spawnSync('which', ['wrk']).status !== 0) throw new Error('wrk is missing (the Debian package wrk)')
const seconds = Number(values.seconds)
const token = 'bench-token'
const headers = { authorization: `Bearer ${token}` }

const podOf = name => ({
  metadata: { ...name, labels: { app: 'bench' } },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1.2.3', env: [{ name: 'A', value: '1' }] }] }
})

function folderFor(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `binnacle-${name}-`))
  fs.writeFileSync(path.join(folder, 'tokens.csv'), `${token},bench,bench-uid,"system:masters"\n`, { mode: 0o600 })
  return folder
}

async function startServer(workers) {
  const folder = folderFor('workers')
  const store = process.env.ETCD
    ? ['--storage-backend=etcd3', `--etcd-servers=${process.env.ETCD}`, `--etcd-prefix=/bench-${process.pid}-${workers}`]
    : []
  const server = spawn(
    process.execPath,
    ['--v8-pool-size=1', '--max-semi-space-size=8', main, 'serve', `--workers=${workers}`, '--secure-port=0'].concat([
      `--data-dir=${folder}/data`,
      `--token-auth-file=${folder}/tokens.csv`,
      ...store
    ]),
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  const url = await new Promise(resolve => {
    let text = ''
    server.stdout.on('data', data => {
      text += data
      const found = /https:\/\/\S+/.exec(text)
      if (found) resolve(found[0])
    })
  })
  const children = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
  const pids = [server.pid, ...children.map(Number)]
  return {
    url,
    pids,
    async stop() {
      server.kill('SIGTERM')
      await new Promise(resolve => server.once('exit', resolve))
      fs.rmSync(folder, { recursive: true })
    }
  }
}

/** Milliseconds of CPU time of each process. */
const cpu = pids =>
  pids.map(pid => {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  })
const sum = numbers => numbers.reduce((total, one) => total + one, 0)

/** Megabytes of each process; of what several share, PSS counts a part. */
const memory = pids =>
  pids.map(pid => {
    const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const of = name => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)[1]) / 1024)
    return { rss: of('Rss'), pss: of('Pss') }
  })

const agent = new https.Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false })
const call = (url, method, body) =>
  new Promise((resolve, reject) => {
    const data = body && JSON.stringify(body)
    const request = https.request(
      url,
      {
        method,
        agent,
        headers: { ...headers, ...(data && { 'content-type': 'application/json', 'content-length': data.length }) }
      },
      answer => answer.resume().on('end', () => resolve(answer.statusCode))
    )
    request.on('error', reject)
    request.end(data)
  })

/** Each wrk thread has names of its own for what it writes. */
const scripts = folderFor('wrk')
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
    // the part of the processors' time that each process had
    busy: spent.map(one => +(one / seconds / 1000).toFixed(2)),
    ...(failed > 0 && { failed })
  }
}

async function measure(workers) {
  const server = await startServer(workers)
  try {
    const pods = `${server.url}/api/v1/namespaces/default/pods`
    const empty = memory(server.pids)
    for (let i = 0; i < Number(values.pods); i += 16)
      await Promise.all(Array.from({ length: 16 }, (_, k) => call(pods, 'POST', podOf({ name: `pod-${i + k}` }))))
    const full = memory(server.pids)
    // code that has just been loaded is slow, in each process anew
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
  for (const workers of values.workers.split(',').map(Number)) console.log(JSON.stringify(await measure(workers)))
fs.rmSync(scripts, { recursive: true })
agent.destroy()
