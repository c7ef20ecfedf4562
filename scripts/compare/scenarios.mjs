#!/usr/bin/env node
// Plays the scenarios of test/conformance/ against a running kube-apiserver and against Binnacle, with random changes in the bodies that
// they send, and prints how the answers differ: each kind of difference once.
//
//   node scripts/compare/scenarios.mjs --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444 [--seed N] [--rounds N] [SCENARIO…]
//
//   --seed N     another seed gives other changes, the same one the same
//   --rounds N   how often each scenario is played (default 1)
//
// Both servers need the flags that docs/compare.md names and the tokens of test/conformance/tokens.csv. Exit status: 1 when answers differ.
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { at, randomName, substitute } from '../../test/conformance/variables.mjs'
import { Random } from '../random.mjs'
import { comparable, jsonOf } from './answer.mjs'
import { BodyChanges } from './body-changes.mjs'
import { differences, kindOfDifference } from './differences.mjs'
import { printDifference } from './report.mjs'
import { Server } from './server.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' }
  }
})
if (!options.reference || !options.target)
  throw new Error('usage: scripts/compare/scenarios.mjs --reference URL --target URL [SCENARIO…]')

/** A condition looks into an answer that may not have what it looks for, all the less after a change. */
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
const folder = new URL('../../test/conformance/scenarios/', import.meta.url)
// a seed gives the same changes whichever scenarios are played: all lend their values
const scenarios = await Promise.all(fs.readdirSync(folder).map(async file => (await import(new URL(file, folder))).default))
const wanted = scenarios.filter(({ name }) => positionals.length === 0 || positionals.some(start => name.startsWith(start)))
const known = new Set()
let compared = 0

for (let round = 0; round < Number(options.rounds); round++)
  for (const scenario of wanted) await play(scenario, Number(options.seed) + round)
console.log(`${compared} answers compared, ${known.size} kinds of difference`)
for (const server of servers) server.close()
process.exitCode = known.size > 0 ? 1 : 0

async function play(scenario, seed) {
  const changes = new BodyChanges(new Random(seed), scenarios)
  const names = { ns: randomName('n'), id: randomName('r') }
  /** Captured values differ between the servers: each has its own. */
  const vars = servers.map(() => ({ ...names }))
  await send({ path: '/api/v1/namespaces', body: { metadata: { name: names.ns } } })
  await send({ path: `/api/v1/namespaces/${names.ns}/serviceaccounts`, body: { metadata: { name: 'default' } } })
  for (const step of scenario.steps) {
    if (step.sleep) await setTimeout(step.sleep)
    // streams are a matter of the recordings
    if (step.sleep || step.watch || step.events || step.closed || /[?&]watch=/.test(step.path ?? '')) continue
    if (step.when && !vars.every(own => step.when(own))) continue
    try {
      await compareStep(step, changes, vars, names, {
        title: scenario.name,
        how: `--seed ${seed} ${scenario.name}, step ${step.id}`
      })
    } catch (error) {
      console.log(`${scenario.name} ${step.id}: ${error.message}`)
    }
  }
  for (const path of [`/api/v1/namespaces/${names.ns}`, ...(scenario.cleanup ?? [])])
    await send({ method: 'DELETE', path: substitute(path, names) }).catch(() => {})
}

async function compareStep(step, changes, vars, names, origin) {
  const change = changes.next()
  const requests = vars.map(own => requestOf(step, own, change))
  const ask = () => Promise.all(servers.map((server, i) => server.send(requests[i])))
  const holds = () =>
    answers.every(({ status, body }, i) => step.until({ status, body: jsonOf({ text: body.toString() }) ?? {} }, vars[i]))
  let answers = await ask()
  for (let tries = 0; step.until && tries < 15 && !attempt(holds); tries++) {
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
    const body = jsonOf(plain)
    return body && step.mask ? { ...plain, text: JSON.stringify(masked(body, step.mask)) } : plain
  })
  const found = differences(reference, target)
  if (found.length === 0) return
  const [request] = requests
  const path = request.path.replaceAll(names.ns, '$NS').replaceAll(names.id, '$ID')
  const kind = kindOfDifference({ ...request, path }, found, true)
  if (known.has(kind)) return
  known.add(kind)
  printDifference(origin, { request: { ...request, path }, index: 0, found, reference, target }, [])
}

function requestOf(step, vars, change) {
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value && substitute(value, vars)])
  )
  const who = step.as ?? 'admin'
  if (who === 'nobody') headers.authorization = null
  else if (who !== 'admin') headers.authorization = `Bearer ${who === 'alice' ? 'alice-token' : (vars[who] ?? who)}`
  const request = { path: substitute(step.path, vars), headers }
  if (step.method) request.method = step.method
  if (step.base64 !== undefined) request.body = Buffer.from(step.base64, 'base64')
  else if (step.raw !== undefined) request.body = substitute(step.raw, vars)
  else if (step.body !== undefined) {
    const body = structuredClone(typeof step.body === 'function' ? step.body(vars) : step.body)
    request.body = JSON.stringify(substitute(change(body), vars))
    headers['content-type'] ??= 'application/json'
  }
  return request
}
