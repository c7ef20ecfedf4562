#!/usr/bin/env node
// Plays the scenarios of test/conformance/ against a running kube-apiserver and against Binnacle, with random changes in the bodies that
// they send, and prints how the answers differ: each kind of difference once.
//
//   node scripts/compare/scenarios.mjs --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444 [--seed N] [--rounds N] [--transpose]
//     [--folder FOLDER] [SCENARIO…]
//
//   --seed N     another seed gives other changes, the same one the same
//   --rounds N   how often each scenario is played (default 1)
//   --transpose  plays each scenario with other kinds than its own, in place of other values, and follows its watches
//   --folder F   plays the scenarios of another folder as they are, and follows their watches
//
// Both servers need the flags that docs/compare.md names and the tokens of test/conformance/tokens.csv. Exit status: 1 when answers differ.
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from '../../test/conformance/client.mjs'
import { at, randomName, substitute } from '../../test/conformance/variables.mjs'
import { parseOptions } from '../shared/options.mjs'
import { Random } from '../shared/random.mjs'
import { comparable, jsonOf, withoutGeneratedName } from './answer.mjs'
import { BodyChanges } from './body-changes.mjs'
import { differences, kindOfDifference } from './differences.mjs'
import { printDifference } from './report.mjs'
import { Server } from './server.mjs'
import { transposerOf } from './transposition/transposer.mjs'
import { Versions } from './versions.mjs'

const { values: options, positionals } = parseOptions({
  allowPositionals: true,
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'number', default: 1 },
    rounds: { type: 'number', default: 1 },
    transpose: { type: 'boolean', default: false },
    folder: { type: 'string' }
  }
})
if (!options.reference || !options.target)
  throw new Error('usage: scripts/compare/scenarios.mjs --reference URL --target URL [SCENARIO…]')

/** Evaluates a condition, which may look for something that the answer lacks, especially after a change. */
const attempt = condition => {
  try {
    return condition()
  } catch {
    return false
  }
}

function masked(value, masks) {
  if (typeof value === 'string') return masks.reduce((text, mask) => text.replace(mask, '<mask>'), value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(item => masked(item, masks))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, masks)]))
}

const servers = [options.reference, options.target].map(url => new Server(url, 'admin-token'))
const send = request => Promise.all(servers.map(server => server.send(request)))
const folder = options.folder
  ? pathToFileURL(`${options.folder}/`)
  : new URL('../../test/conformance/scenarios/', import.meta.url)
// a seed gives the same changes whichever scenarios are played: all lend their values
const scenarios = await Promise.all(fs.readdirSync(folder).map(async file => (await import(new URL(file, folder))).default))
const wanted = scenarios.filter(({ name }) => positionals.length === 0 || positionals.some(start => name.startsWith(start)))
const known = new Set()
let compared = 0
const transposer = options.transpose ? await transposerOf(servers, scenarios) : undefined
/** What is known of the versions of each server. */
const versions = servers.map(() => new Versions())
const tokens = { admin: { token: 'admin-token' }, alice: { token: 'alice-token' } }
const watchers = [options.reference, options.target].map(url => new Client(url, tokens))

for (let round = 0; round < Number(options.rounds); round++)
  for (const scenario of wanted) await play(scenario, Number(options.seed) + round)
console.log(`${compared} answers compared, ${known.size} kinds of difference`)
await transposer?.close()
for (const client of [...servers, ...watchers]) client.close()
process.exitCode = known.size > 0 ? 1 : 0

async function play(scenario, seed) {
  // another choice of kinds for each scenario
  const random = new Random(transposer ? seed * 7919 + sumOf(scenario.name) : seed)
  const changes = transposer || options.folder ? undefined : new BodyChanges(random, scenarios)
  const transposition = transposer?.of(scenario, random)
  const names = { ns: randomName('n'), id: randomName('r') }
  /** Captured values differ between the servers: each has its own. */
  const vars = servers.map(() => ({ ...names }))
  const streams = {}
  const followsWatches = Boolean(transposer || options.folder)
  await send({ path: '/api/v1/namespaces', body: { metadata: { name: names.ns } } })
  await send({ path: `/api/v1/namespaces/${names.ns}/serviceaccounts`, body: { metadata: { name: 'default' } } })
  for (const step of scenario.steps) {
    if (step.sleep) await setTimeout(step.sleep)
    // streams of the recorded scenarios' own kinds are a matter of the recordings
    if (step.sleep || step.closed || (!followsWatches && (step.watch || step.events || /[?&]watch=/.test(step.path ?? ''))))
      continue
    // the same choice, whichever kinds a scenario is about
    if (transposer && /^\/(openapi|openid|metrics|api\/v1\/componentstatuses)/.test(step.path ?? '')) continue
    if (step.when && !vars.every(own => step.when(own))) continue
    const how = [`--seed ${seed}`, transposer && '--transpose', scenario.name, `step ${step.id}`, transposition?.title]
    const origin = { title: scenario.name, how: how.filter(Boolean).join(', ') }
    const played = transposition ? transposition.step(step) : step
    try {
      if (step.watch) {
        streams[step.watch] = vars.map((own, i) => watchers[i].watch(played, own))
        await Promise.all(streams[step.watch].map(stream => Promise.race([stream.response, setTimeout(3000)])))
      }
      if (step.events) await compareEvents(streams[step.events], step, names, origin)
      if (!step.watch && !step.events) {
        const refused = await compareStep(played, changes?.next(), vars, names, origin)
        const plain = refused && transposition?.plain(step)
        if (plain) await compareStep(plain, undefined, vars, names, origin)
      }
    } catch (error) {
      console.log(`${scenario.name} ${step.id}: ${error.message}`)
    }
  }
  for (const stream of Object.values(streams).flat()) stream.close()
  for (const path of [`/api/v1/namespaces/${names.ns}`, ...(scenario.cleanup ?? []), ...(transposition?.left ?? [])])
    await send({ method: 'DELETE', path: substitute(path, names) }).catch(() => {})
}

function sumOf(text) {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 0)
}

/** The events that a scenario expects, and whatever else has come until then. */
async function compareEvents(streams, step, names, origin) {
  const answers = await Promise.all(
    streams.map(async stream => {
      const { status, headers, body } = await Promise.race([stream.response, setTimeout(3000, { status: 0, headers: {} })])
      const events = await stream.take(step.count ?? 1, 1500)
      const shown = events.filter(({ type, object }) => type !== 'BOOKMARK' || object?.metadata?.annotations)
      return { status, headers, body: Buffer.from(JSON.stringify({ body, events: shown })) }
    })
  )
  compared++
  const [reference, target] = answers.map((answer, i) => comparable(answer, servers[i].host, names))
  report({ path: `/the-events-of/${step.events}` }, differences(reference, target), reference, target, origin)
}

/** Resolves with true when both servers refuse what the scenario creates. */
async function compareStep(step, change, vars, names, origin) {
  const requests = vars.map(own => requestOf(step, own, change))
  const ask = () => Promise.all(servers.map((server, i) => server.send(requests[i])))
  const holds = () =>
    answers.every(({ status, body }, i) => step.until({ status, body: jsonOf({ text: body.toString() }) ?? {} }, vars[i]))
  let answers = await ask()
  const most = options.folder ? (step.timeoutMs ?? 3000) / 200 : transposer ? 3 : 15
  for (let tries = 0; step.until && tries < most && !attempt(holds); tries++) {
    await setTimeout(200)
    answers = await ask()
  }
  for (const [name, path] of Object.entries(step.capture ?? {}))
    for (const [i, { body }] of answers.entries()) {
      const value = at(jsonOf({ text: body.toString() }) ?? {}, path)
      if (value !== undefined) vars[i][name] = value
    }
  compared++
  const [reference, target] = answers.map((answer, i) => {
    const texts = Object.entries(vars[i]).filter(([, value]) => typeof value === 'string' && value.length >= 5)
    const plain = comparable(answer, servers[i].host, Object.fromEntries(texts))
    plain.text = withoutGeneratedName(plain.text, requests[i].body)
    const body = jsonOf(plain)
    plain.keeps = versions[i].keeps(answer)
    return body && step.mask ? { ...plain, text: JSON.stringify(masked(body, step.mask)) } : plain
  })
  const found = differences(reference, target)
  const [request] = requests
  const path = request.path.replaceAll(names.ns, '$NS').replaceAll(names.id, '$ID')
  report({ ...request, path }, found, reference, target, origin)
  return request.body !== undefined && answers.every(({ status }) => status === 400 || status === 422)
}

function report(request, found, reference, target, origin) {
  if (found.length === 0) return
  const kind = kindOfDifference(request, found, true)
  if (known.has(kind)) return
  known.add(kind)
  printDifference(origin, { request, index: 0, found, reference, target }, [])
}

function requestOf(step, vars, change) {
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value && substitute(value, vars)])
  )
  const who = step.as ?? 'admin'
  if (who === 'nobody') headers.authorization = null
  else if (who !== 'admin') headers.authorization = `Bearer ${who === 'alice' ? 'alice-token' : (vars[who] ?? who)}`
  const request = { path: substitute(step.path, vars), headers }
  // where the scenario expects a refusal, another kind may open a stream
  if (transposer && /[?&]watch=|\/watch\//.test(request.path))
    request.path += `${request.path.includes('?') ? '&' : '?'}timeoutSeconds=1`
  if (step.method) request.method = step.method
  if (step.base64 !== undefined) request.body = Buffer.from(step.base64, 'base64')
  else if (step.raw !== undefined) request.body = substitute(step.raw, vars)
  else if (step.body !== undefined) {
    const body = structuredClone(typeof step.body === 'function' ? step.body(vars) : step.body)
    request.body = JSON.stringify(substitute(change ? change(body) : body, vars))
    headers['content-type'] ??= 'application/json'
  }
  return request
}
