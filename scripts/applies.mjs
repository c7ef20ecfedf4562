#!/usr/bin/env node
// Replays recorded sequences of writes by several managers (test/applies/), and fails when an answer differs from kube-apiserver's.
//
//   node scripts/applies.mjs                                            starts a Binnacle server itself
//   node scripts/applies.mjs --server URL                               or asks a running one
//   node scripts/applies.mjs --record --reference URL --target URL [--seed N] [--count N]   records what the area `applies` of
//                                                                       scripts/compare sends, and what kube-apiserver answers
//
// A recording leaves out the sequences in which kube-apiserver is wrong (`leftOut`), for which it needs both servers.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startOwnServer } from '../test/conformance/own-server.mjs'
import { comparable, jsonOf } from './compare/answer.mjs'
import { normal } from './compare/applies/sequence.mjs'
import { area } from './compare/areas/applies.mjs'
import { differences } from './compare/differences.mjs'
import { fill } from './compare/fill.mjs'
import { replace } from './compare/replace.mjs'
import { Server } from './compare/server.mjs'
import { Random } from './random.mjs'

const file = fileURLToPath(new URL('../test/applies/sequences.json.gz', import.meta.url))
const tokensFile = fileURLToPath(new URL('../test/conformance/tokens.csv', import.meta.url))
const { values: options } = parseArgs({
  options: {
    server: { type: 'string' },
    record: { type: 'boolean' },
    reference: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' }
  }
})
const run = `r${Math.random().toString(36).slice(2, 8)}`
const ofRun = { NS: `${run}-ns`, ID: run, RUN: run }
/** How many sequences are replayed at the same time. */
const width = 4

const ask = (server, { over, ...request }) => (over ? replace(server, request) : server.send(request))

/** Reduces an answer to what is compared. */
function shown(server, answer, variables) {
  const reduced = comparable(answer, server.host, variables)
  const body = jsonOf(reduced)
  return { status: reduced.status, body: body ? normal(body) : reduced.text }
}

async function prepare(servers) {
  for (const server of servers) {
    await server.send({ path: '/api/v1/namespaces', body: { metadata: { name: ofRun.NS } } })
    await server.send({ path: `/api/v1/namespaces/${ofRun.NS}/serviceaccounts`, body: { metadata: { name: 'default' } } })
  }
  const send = request => Promise.all(servers.map(server => server.send(fill(request, ofRun))))
  return { send, ...(await area({ random: new Random(Number(options.seed)), send, options: {} })) }
}

async function record() {
  const servers = [options.reference, options.target].map(url => new Server(url, 'admin-token'))
  const { generate, cleanup, send } = await prepare(servers)
  const recorded = []
  for (let i = 0; i < Number(options.count); i++) {
    const { requests, cleanup } = generate()
    const variables = { ...ofRun, ID: `${run}-${i}` }
    const steps = []
    for (const { pick: _, leftOut, ...request } of requests) {
      const filled = fill(request, variables)
      const [wanted, got] = await Promise.all(servers.map(async server => shown(server, await ask(server, filled), variables)))
      const asText = ({ status, body }) => ({ status, text: JSON.stringify(body) })
      if (leftOut?.(filled, asText(wanted), asText(got))) break
      steps.push({ request, answer: wanted })
    }
    recorded.push({ steps, cleanup })
    for (const request of cleanup) await Promise.all(servers.map(server => server.send(fill(request, variables))))
  }
  for (const request of cleanup) await send(request)
  fs.writeFileSync(file, gzipSync(JSON.stringify(recorded), { level: 9 }))
  for (const server of servers) server.close()
  console.log(`${recorded.length} sequences, ${fs.statSync(file).size} bytes`)
}

/** Returns the first step of a sequence whose answer differs. */
async function firstDifference(server, { steps, cleanup }, variables) {
  try {
    for (const [index, { request, answer }] of steps.entries()) {
      const { status, body } = shown(server, await ask(server, fill(request, variables)), variables)
      const asText = value => ({ status: value.status, text: JSON.stringify(value.body) })
      const found = differences(asText(answer), asText({ status, body }))
      if (found.length > 0) return { index, request, found }
    }
  } finally {
    for (const request of cleanup) await server.send(fill(request, variables))
  }
  return undefined
}

async function replay() {
  const own = options.server ? undefined : await startOwnServer(tokensFile, '1', 'token-cleaner-controller')
  const server = new Server(options.server ?? own.url, 'admin-token')
  const recorded = JSON.parse(gunzipSync(fs.readFileSync(file)))
  const { cleanup, send } = await prepare([server])
  let differing = 0
  const queue = recorded.entries()
  const work = async () => {
    for (const [i, sequence] of queue) {
      const different = await firstDifference(server, sequence, { ...ofRun, ID: `${run}-${i}` })
      if (!different) continue
      differing++
      const { index, request, found } = different
      console.log(`sequence ${i}, step ${index}: ${request.method ?? 'GET'} ${request.path}\n  ${JSON.stringify(request.body)}`)
      for (const { where, reference, target } of found.slice(0, 5))
        console.log(`  ${where}\n    recorded: ${JSON.stringify(reference)}\n    answered: ${JSON.stringify(target)}`)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  for (const request of cleanup) await send(request)
  server.close()
  await own?.stop()
  console.log(`${recorded.length} sequences, ${differing} differ`)
  process.exitCode = differing > 0 ? 1 : 0
}

await (options.record ? record() : replay())
