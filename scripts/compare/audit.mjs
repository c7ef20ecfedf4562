#!/usr/bin/env node
// Sends the same requests to a running kube-apiserver and to Binnacle, and compares the audit events that both write; or sends
// recorded requests to Binnacle, and compares its events with the recorded ones.
//
//   node scripts/compare/audit.mjs --target URL --target-log FILE --reference URL --reference-log FILE [--kinds] [--order]
//   node scripts/compare/audit.mjs --target URL --target-log FILE --recorded ../shared/facts-1.37.2/audit/audit-recorded.jsonl
//   node scripts/compare/audit.mjs --facts ../shared/facts-1.37.2/audit     starts Binnacle with the policy of this folder
//
//   --kinds   also requests for every resource
//   --order   another order of keys counts as a difference
//   --only S  only requests whose name contains S (those before are sent, too)
//
// docs/compare.md says how to start the servers. Exit status: 1 when events differ.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseOptions } from '../shared/options.mjs'
import { urlOf } from '../shared/server-url.mjs'
import { comparableEvent } from './audit-events.mjs'
import { ofEachResource, written } from './audit-requests.mjs'
import { Cluster } from './cluster.mjs'
import { differences } from './differences.mjs'
import { Server } from './server.mjs'

const { values: options } = parseOptions({
  options: {
    reference: { type: 'string' },
    'reference-log': { type: 'string' },
    target: { type: 'string' },
    'target-log': { type: 'string' },
    recorded: { type: 'string' },
    facts: { type: 'string' },
    only: { type: 'string', default: '' },
    kinds: { type: 'boolean', default: false },
    order: { type: 'boolean', default: false }
  }
})

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts Binnacle with the policy of the facts, as kube-apiserver ran when they were recorded. Resolves with what stops it. */
async function startOwn() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'binnacle-audit-'))
  options.recorded = path.join(options.facts, 'audit-recorded.jsonl')
  options['target-log'] = path.join(folder, 'audit.log')
  const flags = [
    '--storage-backend=memory',
    '--secure-port=0',
    `--cert-dir=${folder}/pki`,
    `--token-auth-file=${path.join(root, 'test/conformance/tokens.csv')}`,
    '--controllers=token-cleaner-controller',
    `--audit-policy-file=${path.join(options.facts, 'policy.yaml')}`,
    `--audit-log-path=${options['target-log']}`
  ]
  const server = spawn(process.execPath, [path.join(root, 'dist/cli/main.js'), 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  options.target = await urlOf(server)
  return () =>
    new Promise(resolve => {
      server.once('exit', () => {
        fs.rmSync(folder, { recursive: true })
        resolve()
      })
      server.kill()
    })
}

const stopOwn = options.facts ? await startOwn() : undefined

/** The longest time in milliseconds for which an event is waited for. */
const patienceMs = 1500

/** The events that a server writes into its log. */
class AuditLog {
  #path
  #read = 0
  #rest = ''
  #events = new Map()

  constructor(path) {
    this.#path = path
    this.#read = fs.statSync(path).size
  }

  of(id) {
    const size = fs.statSync(this.#path).size
    const bytes = Buffer.alloc(size - this.#read)
    const fd = fs.openSync(this.#path)
    fs.readSync(fd, bytes, 0, bytes.length, this.#read)
    fs.closeSync(fd)
    this.#read = size
    const lines = (this.#rest + bytes.toString()).split('\n')
    this.#rest = lines.pop()
    for (const line of lines) {
      const event = JSON.parse(line)
      this.#events.set(event.auditID, [...(this.#events.get(event.auditID) ?? []), event])
    }
    return this.#events.get(id) ?? []
  }
}

const isLast = ({ stage, responseStatus }) =>
  stage === 'ResponseComplete' || stage === 'Panic' || [400, 401].includes(responseStatus?.code)

async function eventsOf(log, id, complete) {
  for (let waited = 0; waited < patienceMs; waited += 20) {
    const events = log.of(id)
    if (complete(events)) return events
    await setTimeout(20)
  }
  return log.of(id)
}

/** Sends a request to one server, and resolves with its events as texts. */
async function sendTo({ server, log }, request, complete = events => events.some(isLast)) {
  const { path, method, body, headers = {}, as = 'admin-token', id = `compare-${randomBytes(8).toString('hex')}` } = request
  const authorization = as === '' ? null : `Bearer ${as}`
  await server.send({ path, method, body, headers: { 'audit-id': id, authorization, ...headers } })
  const events = await eventsOf(log, id, complete)
  return events.map(event => comparableEvent(event, server.host))
}

let total = 0
function report(name, expected, actual) {
  const found =
    expected.length === actual.length
      ? expected.flatMap((text, i) => differences({ text }, { text: actual[i] }, options.order))
      : [{ where: 'number of events', reference: expected.map(stageOf), target: actual.map(stageOf) }]
  if (found.length === 0) return
  total++
  console.log(name)
  for (const { where, reference, target } of found.slice(0, 6))
    console.log(`  ${where.replace(/^body\./, '')}\n    - ${shown(reference)}\n    + ${shown(target)}`)
}
const stageOf = text => JSON.parse(text).stage
const shown = value => (JSON.stringify(value) ?? 'nothing').slice(0, 600)

const target = { server: new Server(options.target, 'admin-token'), log: new AuditLog(options['target-log']) }
const fill = (value, variables) => JSON.parse(JSON.stringify(value).replace(/\$(NS|RUN)\b/g, (_, name) => variables[name]))

async function compareRunning() {
  const reference = { server: new Server(options.reference, 'admin-token'), log: new AuditLog(options['reference-log']) }
  const run = `c${randomBytes(4).toString('hex')}`
  const variables = { NS: `${run}-ns`, RUN: run }
  const servers = [reference, target]
  const setUp = [
    { path: '/api/v1/namespaces', body: { metadata: { name: variables.NS } } },
    { path: `/api/v1/namespaces/${variables.NS}/serviceaccounts`, body: { metadata: { name: 'default' } } }
  ]
  for (const request of setUp) await Promise.all(servers.map(({ server }) => server.send(request)))
  const cluster = options.kinds ? await Cluster.of(reference.server, target.server) : undefined
  const requests = [...written, ...(cluster ? ofEachResource(cluster) : [])]
  for (const given of requests) {
    const request = fill(given, variables)
    const [expected, actual] = await Promise.all(servers.map(one => sendTo(one, request)))
    if (given.name.includes(options.only)) report(given.name, expected, actual)
    if (given.pause) await setTimeout(1000)
  }
  await Promise.all(servers.map(({ server }) => server.send({ method: 'DELETE', path: `/api/v1/namespaces/${variables.NS}` })))
  console.log(`${requests.length} requests, ${total} differ`)
  reference.server.close()
}

/** The tokens of the users that recorded requests name. */
const tokens = { nobody: '', alice: 'alice-token', wrong: 'wrong' }

async function compareRecorded() {
  const lines = fs.readFileSync(options.recorded, 'utf8').trim().split('\n')
  for (const line of lines) {
    const { request, events } = JSON.parse(line)
    const { name, as, method, path, type, body, raw, headers } = request
    const wanted = Object.entries(headers ?? {}).map(([key, value]) => [key.toLowerCase(), value])
    const all = {
      accept: '*/*',
      'user-agent': 'audit-facts/1',
      ...(type ? { 'content-type': type } : {}),
      ...Object.fromEntries(wanted)
    }
    const sent = {
      path,
      method,
      headers: all,
      body: raw ?? body,
      as: as === undefined ? undefined : tokens[as],
      id: all['audit-id']
    }
    const actual = await sendTo(target, sent, found => found.length >= events.length)
    report(
      name,
      events.map(event => comparableEvent(event)),
      actual
    )
  }
  console.log(`${lines.length} requests, ${total} differ`)
}

await (options.recorded ? compareRecorded() : compareRunning())
target.server.close()
await stopOwn?.()
process.exitCode = total > 0 ? 1 : 0
