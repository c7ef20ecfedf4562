#!/usr/bin/env node
/**
 * Measures what an audit log at the level Metadata costs: CPU a request of `get` and `create` over TLS, with and without it.
 *
 *     node scripts/bench/audit.mjs [--rounds 15] [--seconds 1]
 *
 * One server for each mode runs at the same time, and short runs of wrk take turns among them, so that what else the machine does
 * meets all of them alike. The ratio is the median over the rounds. Build first (npm run build); needs wrk and Linux' /proc.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseOptions } from '../shared/options.mjs'
import { median } from './figures.mjs'
import { cpuOf } from './process.mjs'
import { headers, makeFolder, startServer } from './server.mjs'

const { values } = parseOptions({
  options: { rounds: { type: 'number', default: 15 }, seconds: { type: 'number', default: 1 } }
})
const rounds = Number(values.rounds)
const directory = makeFolder('audit')
const file = (name, text) => {
  fs.writeFileSync(path.join(directory, name), text, { mode: 0o600 })
  return path.join(directory, name)
}
const rules = [{ level: 'Metadata' }]
const policy = file(
  'policy',
  JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules })
)
const script = file(
  'create.lua',
  `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local n = 0
request = function()
  n = n + 1
  return wrk.format(nil, nil, nil, '{"metadata":{"name":"c' .. os.getenv("ROUND") .. 'x' .. n .. '"},"data":{"a":"b"}}')
end`
)

async function start(name, flags) {
  return { name, ...(await startServer(directory, { data: path.join(directory, name), flags })) }
}

const collection = '/api/v1/namespaces/default/configmaps'
const authorization = `Authorization: ${headers.authorization}`

/** Returns the CPU time of a request in microseconds, in one short run. */
function run({ pid, url }, kind, round) {
  const isCreate = kind === 'create'
  const before = cpuOf(pid)
  const output = execFileSync(
    'wrk',
    [
      ...['-t1', '-c16', `-d${values.seconds}s`, '-H', authorization],
      ...(isCreate ? ['-s', script] : []),
      `${url}${collection}${isCreate ? '' : '/one'}`
    ],
    { env: { ...process.env, ROUND: String(round) } }
  ).toString()
  if (output.includes('Non-2xx')) throw new Error(output)
  return ((cpuOf(pid) - before) * 1000) / Number(/(\d+) requests in/.exec(output)[1])
}

const audit = mode => [`--audit-policy-file=${policy}`, `--audit-log-path=${directory}/${mode}.log`, `--audit-log-mode=${mode}`]
const servers = [await start('off', []), await start('blocking', audit('blocking')), await start('batch', audit('batch'))]
try {
  const given = ['-H', authorization, '-H', 'Content-Type: application/json']
  for (const { url } of servers) {
    const body = '{"metadata":{"name":"one"},"data":{"a":"b"}}'
    execFileSync('curl', ['-sSfk', ...given, '-d', body, `${url}${collection}`], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  for (const kind of ['get', 'create']) {
    for (const server of servers) run(server, kind, 0) // warms the server up
    const used = servers.map(() => [])
    for (let round = 1; round <= rounds; round++)
      for (const [i, server] of servers.entries()) used[i].push(run(server, kind, round))
    for (const [i, { name }] of servers.entries()) {
      const ratio = median(used[i].map((one, round) => one / used[0][round]))
      console.log(`${kind.padEnd(8)}${name.padEnd(10)}${median(used[i]).toFixed(1).padStart(8)} µs   ${ratio.toFixed(3)}`)
    }
  }
} finally {
  for (const server of servers) await server.stop()
  fs.rmSync(directory, { recursive: true })
}
