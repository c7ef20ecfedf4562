#!/usr/bin/env node
/**
 * Measures what an audit log at the level Metadata costs: CPU a request of `get` and `create` over TLS, with and without it.
 *
 *     node scripts/bench-audit.mjs [--rounds 15] [--seconds 1]
 *
 * One server for each mode runs at the same time, and short runs of wrk take turns among them, so that what else the machine does
 * meets all of them alike. The ratio is the median over the rounds. Build first (npm run build); needs wrk and Linux' /proc.
 */
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '1' } }
})
const rounds = Number(values.rounds)
const binary = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-audit-'))
const file = (name, text) => {
  fs.writeFileSync(path.join(directory, name), text, { mode: 0o600 })
  return path.join(directory, name)
}
const tokens = file('tokens.csv', 'bench-token,bench,bench-uid,"system:masters"\n')
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

/** A tick of /proc's CPU times, in microseconds. */
const tick = 1e6 / Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** Microseconds of CPU that a process has used so far. */
function cpuOf(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

async function start(name, options) {
  const args = ['serve', '--secure-port=0', `--data-dir=${path.join(directory, name)}`, `--token-auth-file=${tokens}`, ...options]
  const server = spawn(process.execPath, ['--v8-pool-size=1', '--max-semi-space-size=8', binary, ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const url = await new Promise(resolve => {
    let text = ''
    server.stdout.on('data', data => {
      text += data
      const found = /https:\/\/\S+/.exec(text)
      if (found) resolve(found[0])
    })
  })
  return { name, server, url }
}

const collection = '/api/v1/namespaces/default/configmaps'

/** CPU in microseconds a request of one short run. */
function run({ server, url }, kind, round) {
  const isCreate = kind === 'create'
  const before = cpuOf(server.pid)
  const output = execFileSync(
    'wrk',
    [
      ...['-t1', '-c16', `-d${values.seconds}s`, '-H', 'Authorization: Bearer bench-token'],
      ...(isCreate ? ['-s', script] : []),
      `${url}${collection}${isCreate ? '' : '/one'}`
    ],
    { env: { ...process.env, ROUND: String(round) } }
  ).toString()
  if (output.includes('Non-2xx')) throw new Error(output)
  return (cpuOf(server.pid) - before) / Number(/(\d+) requests in/.exec(output)[1])
}

const median = list => list.toSorted((a, b) => a - b)[list.length >> 1]

const audit = mode => [`--audit-policy-file=${policy}`, `--audit-log-path=${directory}/${mode}.log`, `--audit-log-mode=${mode}`]
const servers = [await start('off', []), await start('blocking', audit('blocking')), await start('batch', audit('batch'))]
try {
  const headers = ['-H', 'Authorization: Bearer bench-token', '-H', 'Content-Type: application/json']
  for (const { url } of servers) {
    const body = '{"metadata":{"name":"one"},"data":{"a":"b"}}'
    execFileSync('curl', ['-sSfk', ...headers, '-d', body, `${url}${collection}`], { stdio: ['ignore', 'ignore', 'inherit'] })
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
  for (const { server } of servers) {
    server.kill('SIGTERM')
    await new Promise(resolve => server.on('exit', resolve))
  }
  fs.rmSync(directory, { recursive: true })
}
