#!/usr/bin/env node
// Replays the recorded answers of kube-apiserver against a server of our own.
//
//   node scripts/conformance.mjs [SCENARIO…]      prints what differs
//   node scripts/conformance.mjs --required       fails when a step of test/conformance-required.json no longer matches
//   node scripts/conformance.mjs --update         adds the steps that match now to that list; it never gets shorter
//
// The recordings lie in ../shared/conformance, or where CONFORMANCE says. Without them there is nothing to do.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const recordings = process.env.CONFORMANCE ?? path.join(root, '../shared/conformance')
const listFile = path.join(root, 'test/conformance-required.json')
const options = new Set(process.argv.slice(2).filter(a => a.startsWith('--')))
const names = process.argv.slice(2).filter(a => !a.startsWith('--'))
if (!fs.existsSync(recordings)) {
  console.log('no recordings: conformance was skipped')
  process.exit(0)
}
const required = fs.existsSync(listFile) ? JSON.parse(fs.readFileSync(listFile, 'utf8')) : {}
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-conformance-'))
const server = spawn(
  process.execPath,
  [
    path.join(root, 'dist/cli/main.js'),
    'serve',
    '--secure-port=0',
    `--data-dir=${directory}/data`,
    `--token-auth-file=${path.join(recordings, 'tokens.csv')}`,
    '--service-cluster-ip-range=10.0.0.0/24'
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] }
)
const url = await new Promise((resolve, reject) => {
  let text = ''
  server.stdout.on('data', data => {
    text += data
    const found = /https:\/\/\S+/.exec(text)
    if (found) resolve(found[0])
  })
  server.on('exit', code => reject(new Error(`the server ended with ${code}`)))
})
const results = path.join(directory, 'results.json')
const wanted = options.has('--required') ? Object.keys(required) : names
const quiet = options.has('--required') || options.has('--update')
const run = spawnSync(process.execPath, [path.join(recordings, 'run.mjs'), '--server', url, '--json', results, ...wanted], {
  stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit']
})
server.removeAllListeners('exit')
server.kill('SIGTERM')
await new Promise(resolve => server.once('exit', resolve))
const steps = JSON.parse(fs.readFileSync(results, 'utf8'))
fs.rmSync(directory, { recursive: true })

const passed = steps.filter(s => s.ok)
if (options.has('--update')) {
  for (const { scenario, id } of passed) if (!required[scenario]?.includes(id)) (required[scenario] ??= []).push(id)
  const lines = Object.keys(required)
    .sort()
    .map(name => `${JSON.stringify(name)}: ${JSON.stringify(required[name])}`)
  fs.writeFileSync(listFile, `{\n${lines.join(',\n')}\n}\n`)
}
if (quiet) {
  const areas = new Map()
  for (const { scenario, ok } of steps) {
    const area = scenario.split('-')[0]
    const count = areas.get(area) ?? { passed: 0, all: 0 }
    areas.set(area, { passed: count.passed + (ok ? 1 : 0), all: count.all + 1 })
  }
  for (const [area, count] of areas) console.log(`${area}: ${count.passed} of ${count.all}`)
}
let broken = 0
if (options.has('--required')) {
  for (const { scenario, id, ok, diff } of steps) {
    if (ok || !required[scenario]?.includes(id)) continue
    broken++
    console.log(`no longer as recorded: ${scenario} ${id}\n    ${diff.slice(0, 3).join('\n    ')}`)
  }
  const all = Object.values(required).reduce((sum, ids) => sum + ids.length, 0)
  console.log(`conformance: ${all - broken} of ${all} required steps match`)
}
process.exit(options.has('--required') ? (broken > 0 ? 1 : 0) : options.has('--update') ? 0 : (run.status ?? 1))
