#!/usr/bin/env node
// Replays the recorded requests of test/conformance/ and prints answers that differ from kube-apiserver's.
//
//   node scripts/test/conformance.mjs [SCENARIO…]            starts a Binnacle server itself
//   node scripts/test/conformance.mjs --required             fails when a step of test/conformance/required.json no longer matches
//   node scripts/test/conformance.mjs --update [SCENARIO…]   adds the steps that match now to that list; never removes any
//
//   --workers=2                                       its own server has several processes
//
// For another running API server:
//   --server=URL       its address
//   --kubeconfig=FILE  or its address with the admin's credentials (a token, or a certificate and key)
//   --tokens=FILE      the tokens of admin and alice; test/conformance/tokens.csv by default, which the server must load (--token-auth-file)
//   --record           records its answers; use it with a kube-apiserver only
//
//   --all-diffs        shows every difference, not only the first three of a step
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { differences } from '../../test/conformance/answer.mjs'
import { Client } from '../../test/conformance/client.mjs'
import { readKubeconfig, readTokens } from '../../test/conformance/credentials.mjs'
import { startOwnServer } from '../../test/conformance/own-server.mjs'
import { play } from '../../test/conformance/replay.mjs'

const folder = fileURLToPath(new URL('../../test/conformance/', import.meta.url))
const listFile = path.join(folder, 'required.json')
/** How many scenarios are played at the same time: most of the time, they wait. */
const width = 4

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    required: { type: 'boolean' },
    update: { type: 'boolean' },
    record: { type: 'boolean' },
    'all-diffs': { type: 'boolean' },
    server: { type: 'string' },
    kubeconfig: { type: 'string' },
    workers: { type: 'string' },
    tokens: { type: 'string', default: path.join(folder, 'tokens.csv') }
  }
})
const isForeign = options.server !== undefined || options.kubeconfig !== undefined
if (options.record && !isForeign) throw new Error('--record needs a kube-apiserver: --server or --kubeconfig')

const scenarios = fs
  .readdirSync(path.join(folder, 'scenarios'))
  .map(file => path.basename(file, '.mjs'))
  .filter(name => names.length === 0 || names.some(wanted => name === wanted || name.startsWith(`${wanted}-`)))
if (scenarios.length === 0) throw new Error(`no scenario of ${folder} is called ${names.join(' or ') || 'anything'}`)
const recordingOf = name => path.join(folder, 'recordings', `${name}.json`)
const required = JSON.parse(fs.readFileSync(listFile, 'utf8'))

const own = isForeign ? undefined : await startOwnServer(options.tokens, options.workers)
const configured = options.kubeconfig ? readKubeconfig(options.kubeconfig) : undefined
const client = new Client(options.server ?? configured?.server ?? own.url, {
  ...readTokens(options.tokens),
  ...(configured ? { admin: configured.admin } : {})
})

/** Resolves with the answers of a scenario, by the id of the step. */
const answersOf = async name => play((await import(pathToFileURL(path.join(folder, 'scenarios', `${name}.mjs`)))).default, client)

/** One step a line: a change shows which steps it concerns. */
function record(name, answers) {
  const lines = Object.entries(answers).map(([id, answer]) => `${JSON.stringify(id)}: ${JSON.stringify(answer)}`)
  fs.writeFileSync(recordingOf(name), `{\n${lines.join(',\n')}\n}\n`)
}

/** Returns the steps that are answered differently. */
function compare(scenario, answers) {
  const recorded = JSON.parse(fs.readFileSync(recordingOf(scenario), 'utf8'))
  return Object.entries(answers).map(([id, answer]) => {
    const diff = id in recorded ? differences(recorded[id], answer) : ['no answer was recorded']
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
    const wanted = Object.keys(required)
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
    const all = await steps(scenarios, width)
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
    await forEachScenario(scenarios, 1, async name => {
      const answers = await answersOf(name)
      record(name, answers)
      console.log(`recorded ${name}: ${Object.keys(answers).length} steps`)
      for (const [id, { error }] of Object.entries(answers)) if (error) console.log(`   - ${id}: ${error}`)
    })
    return true
  },

  async show() {
    let count = 0
    let failed = 0
    await forEachScenario(scenarios, 1, async name => {
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
  client.close()
  await own?.stop()
}
process.exit(wentWell ? 0 : 1)
