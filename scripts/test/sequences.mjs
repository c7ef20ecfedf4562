#!/usr/bin/env node
// Replays recorded sequences of requests (test/sequences/), and fails when an answer differs from kube-apiserver's.
//
//   node scripts/test/sequences.mjs [--area NAME…] [--most N | --all]
//                                                             starts a Binnacle for each area, two at a time; at most N sequences of each (default 60), spread over all
//   node scripts/test/sequences.mjs --area NAME --server URL       or asks a running one, which has the controllers that the area needs
//   node scripts/test/sequences.mjs --area NAME --record --reference URL --target URL [--seed N] [--count N]
//                                                             records what an area of scripts/compare sends, and what kube-apiserver answers
//
// A recording leaves out the sequences in which the servers differ, and what follows where kube-apiserver is wrong (`leftOut`).
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startOwnServer } from '../../test/conformance/own-server.mjs'
import { jsonOf } from '../compare/answer.mjs'
import { differences } from '../compare/differences.mjs'
import { Player } from '../compare/player.mjs'
import { Server } from '../compare/server.mjs'
import { HookServer } from '../compare/webhooks/hook-server.mjs'
import { parseOptions, refuse } from '../shared/options.mjs'
import { Random } from '../shared/random.mjs'

const directory = fileURLToPath(new URL('../../test/sequences/', import.meta.url))
const tokensFile = fileURLToPath(new URL('../../test/conformance/tokens.csv', import.meta.url))
const { values: options } = parseOptions({
  options: {
    area: { type: 'string', multiple: true },
    server: { type: 'string' },
    record: { type: 'boolean' },
    most: { type: 'number', default: 60 },
    all: { type: 'boolean' },
    reference: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'number', default: 1 },
    count: { type: 'number', default: 100 }
  }
})
const suffix = '.json.gz'
const fileOf = name => `${directory}${name}${suffix}`
const recordedAreas = () =>
  fs
    .readdirSync(directory)
    .filter(file => file.endsWith(suffix))
    .map(file => file.slice(0, -suffix.length))
const run = `r${Math.random().toString(36).slice(2, 8)}`
const ofRun = { NS: `${run}-ns`, ID: run, RUN: run }
/** How many sequences are replayed at the same time. */
const width = 8
/** How many areas are. */
const areasAtOnce = 2
/** How long a server may take to show what it ends up with, in milliseconds. */
const longest = 5000

/** Calls `act` with an area that is prepared on some servers. */
async function inArea(name, servers, act) {
  const { area, picks, withHooks = false } = await import(`../compare/areas/${name}.mjs`)
  const hooks = withHooks ? await HookServer.start(servers.length) : undefined
  const player = new Player(servers, hooks)
  const send = request => player.send(request, ofRun)
  await send({ path: '/api/v1/namespaces', body: { metadata: { name: ofRun.NS } } })
  await send({ path: `/api/v1/namespaces/${ofRun.NS}/serviceaccounts`, body: { metadata: { name: 'default' } } })
  const { generate, cleanup = [] } = await area({ random: new Random(Number(options.seed)), send, options: {} })
  try {
    return await act({ player, picks, generate })
  } finally {
    for (const request of cleanup) await send(request)
    hooks?.close()
    for (const server of servers) server.close()
  }
}

/** The part of an answer that is recorded. */
const recordedOf = answer => ({ status: answer.status, body: jsonOf(answer) ?? answer.text })
const asText = ({ status, body }) => ({ status, text: JSON.stringify(body) ?? '' })
const differing = (wanted, got) => differences(asText(wanted), asText(got))

/** Sends a request until `accepts` its answers, if it may take a while; else once. Resolves with the last ones. */
async function answered(player, request, variables, accepts) {
  const end = Date.now() + (request.eventually ? longest : 0)
  for (;;) {
    const answers = (await player.answers(request, variables)).map(recordedOf)
    if (Date.now() >= end || accepts(answers)) return answers
    await setTimeout(20)
  }
}

async function finish(player, requests, variables) {
  for (const request of requests) await player.send(request, variables)
  player.forget(variables)
}

async function record(name) {
  const servers = [options.reference, options.target].map(url => new Server(url, 'admin-token'))
  await inArea(name, servers, async ({ player, picks, generate }) => {
    const nameOfPick = pick => Object.keys(picks).find(key => picks[key] === pick)
    const recorded = []
    const count = Number(options.count)
    for (let i = 0; i < count; i++) {
      const { requests, cleanup } = generate()
      const variables = { ...ofRun, ID: `${run}-${i}` }
      const steps = await recordedSteps(player, requests, variables, nameOfPick)
      if (steps) recorded.push({ steps, cleanup })
      await finish(player, cleanup, variables)
    }
    fs.writeFileSync(fileOf(name), gzipSync(JSON.stringify(recorded), { level: 9 }))
    console.log(`${name}: ${recorded.length} of ${count} sequences, ${fs.statSync(fileOf(name)).size} bytes`)
  })
}

/** Resolves with undefined when the servers differ. */
async function recordedSteps(player, requests, variables, nameOfPick) {
  const steps = []
  for (const { leftOut, whole: _, wait, ...request } of requests) {
    if (wait) await setTimeout(wait)
    const kept = { ...request, ...(request.pick ? { pick: nameOfPick(request.pick) } : {}) }
    if (request.unchecked) {
      await player.send(request, variables)
      steps.push({ request: kept })
      continue
    }
    const [wanted, got] = await answered(player, request, variables, ([a, b]) => differing(a, b).length === 0)
    if (leftOut?.(request, asText(wanted), asText(got))) break
    const found = differing(wanted, got)
    if (found.length > 0) {
      const { where, reference, target } = found[0]
      console.log(
        `left out: ${request.method ?? ''} ${request.path}: ${where}: ${JSON.stringify(reference)}, ${JSON.stringify(target)}`
      )
      return undefined
    }
    // the replay waits for the answer
    steps.push({ request: wait && !request.method && !request.body ? { ...kept, eventually: true } : kept, answer: wanted })
  }
  return steps
}

/** Returns the first step of a sequence whose answer differs. */
async function firstDifference(player, picks, { steps, cleanup }, variables) {
  try {
    for (const [index, { request, answer }] of steps.entries()) {
      const asked = { ...request, pick: picks[request.pick] }
      if (request.unchecked) {
        await player.send(asked, variables)
        continue
      }
      const [got] = await answered(player, asked, variables, ([got]) => differing(answer, got).length === 0)
      const found = differing(answer, got)
      if (found.length > 0) return { index, request, found }
    }
  } finally {
    await finish(player, cleanup, variables)
  }
  return undefined
}

/** Resolves with how many sequences of an area differ. */
async function replay(name) {
  const { controllers = [], oneByOne = false } = await import(`../compare/areas/${name}.mjs`)
  const own = options.server
    ? undefined
    : await startOwnServer(tokensFile, '1', ['token-cleaner-controller', ...controllers].join(','))
  const began = Date.now()
  const recorded = JSON.parse(gunzipSync(fs.readFileSync(fileOf(name))))
  const chosen = options.all ? recorded : spread(recorded, Number(options.most))
  const server = new Server(options.server ?? own.url, 'admin-token')
  let count = 0
  await inArea(name, [server], async ({ player, picks }) => {
    const queue = chosen.entries()
    const work = async () => {
      for (const [i, sequence] of queue) {
        const different = await firstDifference(player, picks, sequence, { ...ofRun, ID: `${run}-${i}` })
        if (!different) continue
        count++
        report(name, recorded.indexOf(sequence), different)
      }
    }
    await Promise.all(Array.from({ length: oneByOne ? 1 : width }, work))
  })
  await own?.stop()
  console.log(
    `${name}: ${chosen.length} of ${recorded.length} sequences, ${count} differ, ${Math.round((Date.now() - began) / 1000)} s`
  )
  return count
}

function report(name, i, { index, request, found }) {
  console.log(
    `${name}, sequence ${i}, step ${index}: ${request.method ?? 'GET'} ${request.path}\n  ${JSON.stringify(request.body)}`
  )
  for (const { where, reference, target } of found.slice(0, 5))
    console.log(`  ${where}\n    recorded: ${JSON.stringify(reference)}\n    answered: ${JSON.stringify(target)}`)
}

/** At most `most` of the items, evenly. */
function spread(items, most) {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(items.length, most) }, (_, i) => items[Math.floor(i * step)])
}

// those that are recorded for the first time have no file yet
const known = options.record ? undefined : recordedAreas()
for (const name of options.area ?? [])
  if (known && !known.includes(name)) refuse(`--area ${name} must be one of ${known.join(', ')}`)
const areas = (options.area ?? recordedAreas()).values()
if (options.record) for (const name of areas) await record(name)
else {
  const work = async () => {
    for (const name of areas) if ((await replay(name)) > 0) process.exitCode = 1
  }
  await Promise.all(Array.from({ length: options.server ? 1 : areasAtOnce }, work))
}
