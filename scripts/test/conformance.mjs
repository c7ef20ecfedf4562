#!/usr/bin/env node
// Replays the recorded requests of test/conformance/ and prints answers that differ from kube-apiserver's.
//
//   node scripts/test/conformance.mjs [SCENARIO…]            starts a Binnacle server itself
//   node scripts/test/conformance.mjs --required             fails when a step of test/conformance/required.json no longer matches
//   node scripts/test/conformance.mjs --update [SCENARIO…]   adds the steps that match now to that list; never removes any
//
//   --workers=2                                       its own server has several processes
//   --emulated-version=1.36                           as that release: answers of test/conformance/emulated-1.36 where they differ
//
// For another running API server:
//   --server=URL       its address
//   --kubeconfig=FILE  or its address with the admin's credentials (a token, or a certificate and key)
//   --tokens=FILE      the tokens of admin and alice; test/conformance/tokens.csv by default, which the server must load (--token-auth-file)
//   --setup=all-gates  it has the flags of this setup: only the scenarios that need them are played (otherwise, only those that do not)
//   --record           records its answers; use it with a kube-apiserver only
//
//   --all-diffs        shows every difference, not only the first three of a step
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { differences } from '../../test/conformance/answer.mjs'
import { Client } from '../../test/conformance/client.mjs'
import { readKubeconfig, readTokens } from '../../test/conformance/credentials.mjs'
import { setups, startOwnServer } from '../../test/conformance/own-server.mjs'
import { play } from '../../test/conformance/replay.mjs'
import { parseOptions, refuse } from '../shared/options.mjs'

const folder = fileURLToPath(new URL('../../test/conformance/', import.meta.url))
const listFile = path.join(folder, 'required.json')
/** How many scenarios are played at the same time: most of the time, they wait. */
const width = 4

const { values: options, positionals: names } = parseOptions({
  allowPositionals: true,
  options: {
    required: { type: 'boolean' },
    update: { type: 'boolean' },
    record: { type: 'boolean' },
    'all-diffs': { type: 'boolean' },
    server: { type: 'string' },
    kubeconfig: { type: 'string' },
    setup: { type: 'string', choices: Object.keys(setups) },
    workers: { type: 'number', least: 1 },
    'emulated-version': { type: 'string' },
    tokens: { type: 'string', default: path.join(folder, 'tokens.csv') }
  }
})
const isForeign = options.server !== undefined || options.kubeconfig !== undefined
if (options.record && !isForeign) throw new Error('--record needs a kube-apiserver: --server or --kubeconfig')

const scenarios = fs
  .readdirSync(path.join(folder, 'scenarios'))
  .map(file => path.basename(file, '.mjs'))
  .filter(name => names.length === 0 || names.some(wanted => name === wanted || name.startsWith(`${wanted}-`)))
if (scenarios.length === 0) refuse(`no scenario of ${folder} is called ${names.join(' or ') || 'anything'}`)
const emulated = options['emulated-version']
const recordings = path.join(folder, 'recordings')
/** Holds the steps that an older release answers otherwise. */
const emulatedRecordings = emulated && path.join(folder, `emulated-${emulated}`)
const recordingOf = name => path.join(recordings, `${name}.json`)
const read = file => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {})
const required = read(listFile)

const configured = options.kubeconfig ? readKubeconfig(options.kubeconfig) : undefined
const tokens = { ...readTokens(options.tokens), ...(configured ? { admin: configured.admin } : {}) }
const loaded = new Map()
for (const name of new Set([...scenarios, ...Object.keys(required)]))
  loaded.set(name, (await import(pathToFileURL(path.join(folder, 'scenarios', `${name}.mjs`)))).default)
/** Whether a scenario is for the servers of this run: gates of a newer release are unknown to an older one. */
const fits = name => (isForeign || emulated ? loaded.get(name).server === options.setup : true)
const started = new Map()
/** Resolves with a client of the server that a scenario needs. */
const clientOf = setup => {
  if (!started.has(setup)) started.set(setup, start(setup))
  return started.get(setup)
}
async function start(setup) {
  if (isForeign) return { client: new Client(options.server ?? configured.server, tokens) }
  const own = await startOwnServer(options.tokens, options.workers, undefined, [
    ...(setup ? setups[setup] : []),
    ...(emulated ? [`--emulated-version=${emulated}`] : [])
  ])
  return { client: new Client(own.url, tokens), own }
}

/** Resolves with the answers of a scenario, by the id of the step. */
const answersOf = async name => {
  const scenario = loaded.get(name)
  return play(scenario, (await clientOf(scenario.server)).client)
}

/** What was recorded: with the answers of an older release in place of those that differ. */
const recorded = name => ({
  ...read(recordingOf(name)),
  ...(emulated ? read(path.join(emulatedRecordings, `${name}.json`)) : {})
})

/** One step a line: a change shows which steps it concerns. Of an older release, only required steps that differ are kept. */
function record(name, answers) {
  const file = emulated ? path.join(emulatedRecordings, `${name}.json`) : recordingOf(name)
  const known = emulated ? read(recordingOf(name)) : {}
  const kept = Object.entries(answers).filter(
    ([id, answer]) => !emulated || (required[name]?.includes(id) && differences(known[id], answer).length > 0)
  )
  fs.rmSync(file, { force: true })
  if (kept.length === 0) return 0
  const lines = kept.map(([id, answer]) => `${JSON.stringify(id)}: ${JSON.stringify(answer)}`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
  return kept.length
}

/** Returns the steps that are answered differently. */
function compare(scenario, answers) {
  const recordedAnswers = recorded(scenario)
  return Object.entries(answers).map(([id, answer]) => {
    const diff = id in recordedAnswers ? differences(recordedAnswers[id], answer) : ['no answer was recorded']
    return { scenario, id, diff }
  })
}

/** Calls `each` with every scenario, some at the same time. */
async function forEachScenario(wanted, width, each) {
  const queue = wanted.values()
  const worker = async () => {
    for (const name of queue) await each(name)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

async function steps(wanted, width) {
  const all = []
  await forEachScenario(wanted, width, async name => all.push(...compare(name, await answersOf(name))))
  return all
}

const keyOf = ({ scenario, id }) => `${scenario} ${id}`
function print({ id, diff }) {
  console.log(`   - ${id}`)
  const shown = options['all-diffs'] ? diff : diff.slice(0, 3)
  for (const line of shown) console.log(`       ${line}`)
  if (shown.length < diff.length) console.log(`       … ${diff.length - shown.length} more`)
}

/** Resolves with whether all went well. */
const modes = {
  async required() {
    const wanted = Object.keys(required).filter(fits)
    if (wanted.length === 0) throw new Error(`${listFile} names no step`)
    const missing = wanted.filter(name => !fs.existsSync(recordingOf(name)))
    if (missing.length > 0) throw new Error(`there are no recordings of ${missing.join(', ')}`)
    const answered = new Map()
    const play = async (wanted, width) => {
      for (const step of await steps(wanted, width)) {
        const earlier = answered.get(keyOf(step))
        if (earlier === undefined || earlier.length > 0) answered.set(keyOf(step), step.diff)
      }
    }
    /** Steps that differ, or that nobody played. */
    const broken = wanted
      .map(scenario => () => required[scenario].filter(id => answered.get(keyOf({ scenario, id }))?.length !== 0))
      .map((ids, i) => ({ scenario: wanted[i], ids }))
    await play(wanted, width)
    // What depends on time gets a second chance, alone.
    const again = broken.filter(({ ids }) => ids().length > 0).map(({ scenario }) => scenario)
    await play(again, 1)
    const lost = broken.flatMap(({ scenario, ids }) => ids().map(id => ({ scenario, id })))
    for (const step of lost) {
      console.log(`no longer as recorded: ${step.scenario}`)
      print({ id: step.id, diff: answered.get(keyOf(step)) ?? ['it was not played'] })
    }
    const count = wanted.reduce((sum, scenario) => sum + required[scenario].length, 0)
    console.log(`conformance: ${count - lost.length} of ${count} required steps match`)
    return lost.length === 0
  },

  async update() {
    const all = await steps(scenarios.filter(fits), width)
    for (const { scenario, id, diff } of all)
      if (diff.length === 0 && !required[scenario]?.includes(id)) (required[scenario] ??= []).push(id)
    const lines = Object.keys(required)
      .sort()
      .map(name => `  ${JSON.stringify(name)}: ${JSON.stringify(required[name])}`)
    fs.writeFileSync(listFile, `{\n${lines.join(',\n')}\n}\n`)
    console.log(`${all.filter(step => step.diff.length === 0).length} of ${all.length} steps match`)
    return true
  },

  async record() {
    await forEachScenario(scenarios.filter(fits), 1, async name => {
      const answers = await answersOf(name)
      console.log(`recorded ${name}: ${record(name, answers)} steps`)
      for (const [id, { error }] of Object.entries(answers)) if (error) console.log(`   - ${id}: ${error}`)
    })
    return true
  },

  async show() {
    let count = 0
    let failed = 0
    await forEachScenario(scenarios.filter(fits), 1, async name => {
      const all = compare(name, await answersOf(name))
      const different = all.filter(step => step.diff.length > 0)
      count += all.length
      failed += different.length
      console.log(`${different.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${all.length - different.length}/${all.length}`)
      for (const step of different) print(step)
    })
    console.log(`${count - failed} of ${count} steps match`)
    return failed === 0
  }
}

const mode = ['required', 'update', 'record'].find(name => options[name]) ?? 'show'
let wentWell = false
try {
  wentWell = await modes[mode]()
} finally {
  for (const each of started.values()) {
    const { client, own } = await each
    client.close()
    await own?.stop()
  }
}
process.exit(wentWell ? 0 : 1)
