#!/usr/bin/env node
// Measures a Binnacle server with durable storage, TLS, authentication and authorization, and for comparison a bare Node HTTPS
// server that answers with the same bytes, which is the platform's upper limit. Prints one JSON object.
//
//   npm run bench -- [--pods 5000] [--seconds 5]
//   npm run bench -- --growth [--sizes=1000,10000,100000]     tables of scripts/bench/growth.mjs, which needs no other tool
//   npm run bench -- --beside --kube-apiserver=FILE --etcd=FILE     beside kube-apiserver: scripts/bench/beside.mjs
//   npm run bench -- --against=COMMIT     this build beside another commit's: scripts/bench/against.mjs
//   npm run bench -- --cluster     a simulated cluster: scripts/bench/cluster.mjs, which needs no other tool
//
// The workload is ../shared/bench/bench.mjs; it needs wrk and h2load.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { help, refuse } from '../shared/options.mjs'
import { makeFolder, startServer, token } from './server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const others = { '--growth': 'growth.mjs', '--beside': 'beside.mjs', '--cluster': 'cluster.mjs' }
if (args[0] === '--help') help()
if (args[0]?.startsWith('--against=')) run('against.mjs', args)
if (Object.hasOwn(others, args[0])) run(others[args[0]], args.slice(1))

const workload = process.env.BENCH ?? path.join(root, '../shared/bench/bench.mjs')
if (!fs.existsSync(workload)) refuse(`no workload at ${workload}; BENCH names another place`)
for (const tool of ['wrk', 'h2load']) {
  if (spawnSync('which', [tool]).status !== 0) refuse(`${tool} is missing (Debian packages wrk and nghttp2-client)`)
}
await measure(['--limit', ...args])

function run(script, rest) {
  const file = path.join(import.meta.dirname, script)
  process.exit(spawnSync(process.execPath, [file, ...rest], { stdio: 'inherit' }).status ?? 1)
}

/** Runs the workload once against a server of its own. */
async function measure(options) {
  const folder = makeFolder('bench')
  const server = await startServer(folder)
  const { status } = spawnSync(
    process.execPath,
    [workload, '--server', server.url, '--token', token, '--pid', String(server.pid), ...options],
    { stdio: 'inherit' }
  )
  await server.stop()
  fs.rmSync(folder, { recursive: true })
  if (status !== 0) process.exit(status ?? 1)
}
