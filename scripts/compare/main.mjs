#!/usr/bin/env node
// Sends the same random requests to a running kube-apiserver and to Binnacle, and prints how the answers differ: each kind of
// difference once, as the smallest request that was found for it.
//
//   npm run compare -- --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444 [--area NAME…] [--seed N] [--count N] [--minutes N] [--group NAME] [--token TOKEN]
//
//   --area NAME   only these files of areas/; may be given more than once
//   --seed N      another seed gives other requests, the same one the same
//   --count N     cases an area (default 500)
//   --minutes N   each area ends after so much time, and says how many of its cases it has sent
//   --kind K      in areas that walk, and in sequences: only this resource, RESOURCE.GROUP, RESOURCE.VERSION.GROUP or group; may be given more than once
//   --field RE    in areas that walk: only fields whose path matches, as in '^spec.containers'
//   --bases N     in areas that walk: from how many objects of each kind (default 1)
//   --out FILE    in areas that walk: also writes each difference, a JSON object a line
//   --group NAME  only the resources of this API group
//   --token T     of a user in system:masters on both servers (default admin-token)
//
// Both servers should have the same flags, and no controllers (`binnacle serve --controllers=token-cleaner-controller`), as they
// belong to kube-controller-manager. docs/compare.md says how to start them. Exit status: 1 when answers differ.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseOptions, refuse } from '../shared/options.mjs'
import { Random } from '../shared/random.mjs'
import { isLeftToChance } from './chance.mjs'
import { Cluster } from './cluster.mjs'
import { differences, kindOfDifference } from './differences.mjs'
import { Player } from './player.mjs'
import { printDifference } from './report.mjs'
import { Server } from './server.mjs'
import { shrinkBody } from './shrink.mjs'
import { walk } from './walk.mjs'
import { HookServer } from './webhooks/hook-server.mjs'

const { values: options } = parseOptions({
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    area: { type: 'string', multiple: true },
    seed: { type: 'number', default: 1 },
    count: { type: 'number', default: 500 },
    minutes: { type: 'decimal', default: Infinity },
    kind: { type: 'string', multiple: true },
    field: { type: 'string' },
    bases: { type: 'number', default: 1 },
    out: { type: 'string' },
    group: { type: 'string' },
    token: { type: 'string', default: 'admin-token' }
  }
})
if (!options.reference || !options.target) refuse('needs --reference URL and --target URL, the two servers; --help shows more')

const reference = new Server(options.reference, options.token)
const target = new Server(options.target, options.token)
const servers = [reference, target]
/** Without webhooks, which only some areas have. */
let player = new Player(servers)
/**
 * Names that no other run has. In requests, $NS stands for the namespace, $RUN for the run, and $ID for a name that each case has
 * for itself.
 */
const run = `c${randomBytes(4).toString('hex')}`
let cases = 0
/** In milliseconds, for one difference. */
const longestShrinking = 30_000
/** Cases that were given up because the reference is wrong there. */
let left = 0
/** Cases whose difference the reference leaves to chance. */
let byChance = 0
/** The values of these variables in requests that belong to no case. */
const ofRun = { NS: `${run}-ns`, ID: run, RUN: run }

/** Sends the requests of a case in turn to both servers, and the `cleanup` ones at the end. Resolves with the first that differs. */
async function firstDifference({ requests, cleanup = [] }) {
  const variables = { NS: `${run}-ns`, ID: `${run}-${++cases}`, RUN: run }
  try {
    for (const [index, request] of requests.entries()) {
      if (request.wait) await setTimeout(request.wait)
      if (request.unchecked) {
        await player.send(request, variables)
        continue
      }
      let result = await compare(request, variables)
      for (let tries = 0; request.eventually && result.found.length > 0 && tries < 80; tries++) {
        await setTimeout(50)
        result = await compare(request, variables)
      }
      if (result.found.length === 0) continue
      if (request.leftOut?.(request, result.reference, result.target)) {
        left++
        return undefined
      }
      return { request, index, ...result }
    }
  } finally {
    for (const request of cleanup) await player.send(request, variables)
    player.forget(variables)
  }
  return undefined
}

/** Plays the requests of a case without comparing. Resolves with the reference's answer to the last one. */
async function referenceAnswer({ requests, cleanup = [] }) {
  const variables = { NS: `${run}-ns`, ID: `${run}-${++cases}`, RUN: run }
  try {
    let answers
    for (const request of requests) {
      if (request.wait) await setTimeout(request.wait)
      answers = await player.answers(request, variables)
    }
    return answers?.[0]
  } finally {
    for (const request of cleanup) await player.send(request, variables)
    player.forget(variables)
  }
}

async function compare(request, variables) {
  const answers = await player.answers(request, variables)
  if (!answers) return { found: [] }
  const [a, b] = answers
  return { found: differences(a, b, request.inOrder), reference: a, target: b }
}

/** Returns the same difference with as few requests, and as little of their bodies, as shows it. */
async function smallest(found, generated, kind, kindOf) {
  const end = Date.now() + longestShrinking
  const again = async requests => {
    const shown = Date.now() < end ? await firstDifference({ ...generated, requests }) : undefined
    return shown?.index === requests.length - 1 && kindOf(shown) === kind ? shown : undefined
  }
  let best = { found, requests: generated.requests.slice(0, found.index + 1) }
  for (let i = found.index - 1; i >= 0; i--) {
    const requests = best.requests.toSpliced(i, 1)
    const found = await again(requests)
    if (found) best = { found, requests }
  }
  const parts = [...best.requests.keys()].reverse().flatMap(i => ['body', 'hooks'].map(part => [i, part]))
  for (const [i, part] of parts) {
    const value = best.requests[i][part]
    if (value === null || typeof value !== 'object' || best.requests[i].whole) continue
    await shrinkBody(value, async candidate => {
      const requests = best.requests.with(i, { ...best.requests[i], [part]: candidate })
      const found = await again(requests)
      if (found) best = { found, requests }
      return found !== undefined
    })
  }
  return best
}

const directory = new URL('areas/', import.meta.url)
const names = fs.readdirSync(directory).map(file => file.replace('.mjs', ''))
const wanted = options.area ?? names
for (const name of wanted) if (!names.includes(name)) refuse(`--area ${name} must be one of ${names.join(', ')}`)

const cluster = await Cluster.of(reference, target)
if (options.group !== undefined) cluster.resources = cluster.resources.filter(({ group }) => group === options.group)
const send = (request, only) => player.send(request, ofRun, only)
for (const { status } of await send({ path: '/api/v1/namespaces', body: { metadata: { name: `${run}-ns` } } }))
  if (status !== 201) throw new Error(`a namespace cannot be made: ${status}`)
await send({ path: `/api/v1/namespaces/${run}-ns/serviceaccounts`, body: { metadata: { name: 'default' } } })
let total = 0
for (const name of wanted) {
  const { area, withHooks = false } = await import(new URL(`${name}.mjs`, directory))
  const hooks = withHooks ? await HookServer.start(servers.length) : undefined
  player = new Player(servers, hooks)
  const random = new Random(Number(options.seed))
  const known = new Set()
  const end = Date.now() + options.minutes * 60_000
  const timeLeft = () => Date.now() < end
  const { generate, visits, eachResource = false, cleanup = [] } = await area({ random, cluster, options, send })
  if (visits) {
    const print = (how, found) => printDifference({ title: name, how }, { ...found, index: 0 }, [])
    const fieldPattern = options.field && new RegExp(options.field)
    total += await walk({
      visits,
      compare: request => compare(request, ofRun),
      print,
      fieldPattern,
      timeLeft,
      out: options.out
    })
    continue
  }
  const kindOf = found => kindOfDifference(found.request, found.found, eachResource)
  let differing = 0
  let sent = 0
  for (; sent < Number(options.count) && timeLeft(); sent++) {
    const generated = await generate()
    const found = await firstDifference(generated)
    if (!found) continue
    const kind = kindOf(found)
    const played = { ...generated, requests: generated.requests.slice(0, found.index + 1) }
    if (!known.has(kind) && (await isLeftToChance(found, () => referenceAnswer(played)))) {
      byChance++
      continue
    }
    differing++
    if (known.has(kind)) continue
    known.add(kind)
    const { found: shown, requests } = await smallest(found, generated, kind, kindOf)
    printDifference({ title: name, how: `--area ${name} --seed ${options.seed} --count ${sent + 1}` }, shown, requests)
  }
  for (const request of cleanup) await send(request)
  hooks?.close()
  console.log(
    `${name}: ${sent} cases, ${differing} with differences, ${known.size} kinds${left > 0 ? `, ${left} left out` : ''}${byChance > 0 ? `, ${byChance} by chance` : ''}`
  )
  total += known.size
}
await send({ method: 'DELETE', path: `/api/v1/namespaces/${run}-ns` })
for (const server of servers) server.close()
process.exitCode = total > 0 ? 1 : 0
