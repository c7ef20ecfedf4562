#!/usr/bin/env node
// Measures a server of our own, with durable storage, TLS, authentication and authorization on, and beside it a bare Node
// HTTPS server that answers with the same bytes: the ceiling of the platform. Prints one JSON object.
//
//   npm run bench -- [--pods 5000] [--seconds 5]
//
// The workload is ../shared/bench/bench.mjs; it needs wrk and h2load.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const workload = process.env.BENCH ?? path.join(root, '../shared/bench/bench.mjs')
if (!fs.existsSync(workload)) throw new Error(`no workload at ${workload}; BENCH names another place`)
for (const tool of ['wrk', 'h2load']) {
  if (spawnSync('which', [tool]).status !== 0) throw new Error(`${tool} is missing (Debian packages wrk and nghttp2-client)`)
}
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-bench-'))
fs.writeFileSync(path.join(directory, 'tokens.csv'), 'bench-token,bench,bench-uid,"system:masters"\n', { mode: 0o600 })
const profile = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : []
const server = spawn(
  process.execPath,
  [
    '--max-semi-space-size=4', // as `npm start` and the binary's first line have it
    ...profile,
    path.join(root, 'dist/cli/main.js'),
    'serve',
    '--secure-port=0',
    `--data-dir=${directory}/data`,
    `--token-auth-file=${directory}/tokens.csv`
  ],
  {
    stdio: ['ignore', 'pipe', 'inherit']
  }
)
const url = await new Promise(resolve => {
  let text = ''
  server.stdout.on('data', data => {
    text += data
    const found = /https:\/\/\S+/.exec(text)
    if (found) resolve(found[0])
  })
})
const { status } = spawnSync(
  process.execPath,
  [workload, '--server', url, '--token', 'bench-token', '--pid', String(server.pid), '--limit', ...process.argv.slice(2)],
  { stdio: 'inherit' }
)
server.kill('SIGTERM')
await new Promise(resolve => server.once('exit', resolve))
fs.rmSync(directory, { recursive: true })
process.exit(status ?? 1)
