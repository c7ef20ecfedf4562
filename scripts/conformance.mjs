#!/usr/bin/env node
// Replays the recorded answers of kube-apiserver against a server of our own.
//
//   node scripts/conformance.mjs [SCENARIO…]            prints what differs
//   node scripts/conformance.mjs --required             fails when a step of test/conformance-required.json no longer matches
//   node scripts/conformance.mjs --update [SCENARIO…]   adds the steps that match now to that list; it never gets shorter
//
// The recordings lie in ../shared/conformance, or where CONFORMANCE says. Without them there is nothing to do.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const recordings = process.env.CONFORMANCE ?? path.join(root, '../shared/conformance')
const listFile = path.join(root, 'test/conformance-required.json')
const options = new Set(process.argv.slice(2).filter(a => a.startsWith('--')))
const names = process.argv.slice(2).filter(a => !a.startsWith('--'))
/** Scenarios that are replayed at the same time: most of their time is waiting. */
const width = 4

if (!fs.existsSync(recordings)) {
  console.log('no recordings: conformance was skipped')
  process.exit(0)
}
const required = fs.existsSync(listFile) ? JSON.parse(fs.readFileSync(listFile, 'utf8')) : {}
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-conformance-'))

const flags = [
  '--secure-port=0',
  `--data-dir=${directory}/data`,
  `--token-auth-file=${path.join(recordings, 'tokens.csv')}`,
  '--service-cluster-ip-range=10.0.0.0/24',
  // on in the reference, and without effect on those who are no nodes and have no bootstrap tokens
  '--enable-admission-plugins=NodeRestriction',
  '--enable-bootstrap-token-auth',
  '--controllers=*,bootstrap-signer-controller,token-cleaner-controller'
]
const server = spawn(process.execPath, [path.join(root, 'dist/cli/main.js'), 'serve', ...flags], {
  stdio: ['ignore', 'pipe', 'inherit']
})
const url = await new Promise((resolve, reject) => {
  let text = ''
  server.stdout.on('data', data => {
    text += data
    const found = /https:\/\/\S+/.exec(text)
    if (found) resolve(found[0])
  })
  server.on('exit', code => reject(new Error(`the server ended with ${code}`)))
})

/** Replays one scenario; resolves with its steps. */
function replay(name, stdio) {
  const results = path.join(directory, `${name}.json`)
  const child = spawn(process.execPath, [path.join(recordings, 'run.mjs'), '--server', url, '--json', results, name], {
    stdio: ['ignore', stdio, 'inherit']
  })
  return new Promise(resolve =>
    child.on('exit', () => resolve(JSON.parse(fs.readFileSync(results, 'utf8')).filter(step => step.scenario === name)))
  )
}

async function replayAll(wanted, width, stdio) {
  const steps = []
  const queue = wanted.values()
  const worker = async () => {
    for (const name of queue) steps.push(...(await replay(name, stdio)))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return steps
}

const all = fs
  .readdirSync(path.join(recordings, 'scenarios'))
  .filter(f => f.endsWith('.mjs'))
  .map(f => f.slice(0, -4))
const matching = names.length === 0 ? all : all.filter(s => names.some(n => s === n || s.startsWith(`${n}-`)))
let failed = false
if (options.has('--required')) {
  const wanted = Object.keys(required).filter(scenario => all.includes(scenario))
  const keyOf = ({ scenario, id }) => `${scenario} ${id}`
  const matched = new Set()
  const replayed = async (scenarios, width) => {
    const steps = await replayAll(scenarios, width, 'ignore')
    for (const step of steps) if (step.ok) matched.add(keyOf(step))
    return new Map(steps.map(step => [keyOf(step), step.diff]))
  }
  // a step that was not even replayed is broken, too
  const broken = scenario => required[scenario].filter(id => !matched.has(keyOf({ scenario, id })))
  await replayed(wanted, width)
  // what depends on time gets a second chance, alone
  const diffs = await replayed(
    wanted.filter(scenario => broken(scenario).length > 0),
    1
  )
  let lost = 0
  for (const scenario of wanted)
    for (const id of broken(scenario)) {
      lost++
      const diff = diffs.get(keyOf({ scenario, id })) ?? ['not replayed']
      console.log(`no longer as recorded: ${scenario} ${id}\n    ${diff.slice(0, 3).join('\n    ')}`)
    }
  const count = wanted.reduce((sum, scenario) => sum + required[scenario].length, 0)
  console.log(`conformance: ${count - lost} of ${count} required steps match`)
  failed = lost > 0
} else if (options.has('--update')) {
  const steps = await replayAll(matching, width, 'ignore')
  for (const { scenario, id, ok } of steps) if (ok && !required[scenario]?.includes(id)) (required[scenario] ??= []).push(id)
  const lines = Object.keys(required)
    .sort()
    .map(name => `  ${JSON.stringify(name)}: ${JSON.stringify(required[name])}`)
  fs.mkdirSync(path.dirname(listFile), { recursive: true })
  fs.writeFileSync(listFile, `{\n${lines.join(',\n')}\n}\n`)
  console.log(`${steps.filter(s => s.ok).length} of ${steps.length} steps match`)
} else {
  const steps = await replayAll(matching, 1, 'inherit')
  failed = steps.some(step => !step.ok)
}
server.removeAllListeners('exit')
server.kill('SIGTERM')
await new Promise(resolve => server.once('exit', resolve))
fs.rmSync(directory, { recursive: true })
process.exit(failed ? 1 : 0)
