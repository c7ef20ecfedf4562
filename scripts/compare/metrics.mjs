#!/usr/bin/env node
// Sends the same requests to a running kube-apiserver and to Binnacle, and compares their metrics: names, types, stages, labels and
// buckets, not values. Then asks both for every resource, and compares the warnings of deprecated versions.
//
//   node scripts/compare/metrics.mjs --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444
//
// docs/compare.md says how to start the servers. Exit status: 1 when something differs that should not (meaningless-metrics.mjs).
import { setTimeout } from 'node:timers/promises'
import { parseOptions } from '../shared/options.mjs'
import { whyMissing } from './meaningless-metrics.mjs'
import { cleaning, requests } from './metrics-requests.mjs'
import { Server } from './server.mjs'

const { values: options } = parseOptions({
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    token: { type: 'string', default: 'admin-token' }
  }
})
const reference = new Server(options.reference, options.token)
const target = new Server(options.target, options.token)

async function metricsAfterRequests(server) {
  for (const { pause, ...request } of requests) {
    await server.send(request)
    if (pause) await setTimeout(pause)
  }
  const { body } = await server.send({ path: '/metrics', headers: { accept: '*/*' } })
  for (const request of cleaning) await server.send(request)
  return families(body.toString())
}

/** The families of a text of metrics, by name. */
function families(text) {
  const found = new Map()
  let current
  for (const line of text.split('\n')) {
    const [, help, words] = /^# HELP (\S+) ?(.*)$/.exec(line) ?? []
    if (help) {
      const stage = /^\[(\w+)\]/.exec(words)?.[1] ?? '-'
      found.set(help, (current = { stage, type: '', labels: new Set(), buckets: new Set() }))
    }
    const [, , type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (type) current.type = type
    if (line === '' || line.startsWith('#')) continue
    for (const [, label, value] of line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"[,}]/g))
      if (label === 'le') current.buckets.add(value)
      else current.labels.add(label)
  }
  return found
}

const list = set => [...set].sort().join(',')
const parts = ({ type, stage, labels, buckets }) => ({ type, stage, labels: list(labels), buckets: list(buckets) })

/** A kube-apiserver that is built from Go modules has no version, so it shows what a release hides. */
const hidden = new Set([
  'apiserver_storage_db_total_size_in_bytes',
  'apiserver_flowcontrol_request_concurrency_limit',
  'apiserver_flowcontrol_request_concurrency_in_use',
  'etcd_bookmark_counts'
])

const theirs = await metricsAfterRequests(reference)
const ours = await metricsAfterRequests(target)
let wrong = 0
const counts = { all: 0, meaningful: 0, here: 0, equal: 0 }
for (const [name, family] of [...theirs].sort()) {
  if (hidden.has(name)) continue
  counts.all++
  const why = whyMissing(name)
  if (why) continue
  counts.meaningful++
  const own = ours.get(name)
  if (!own) {
    console.log(`missing  ${name} (${family.type})`)
    wrong++
    continue
  }
  counts.here++
  const [expected, found] = [parts(family), parts(own)]
  const differing = Object.keys(expected).filter(part => expected[part] !== found[part])
  if (differing.length === 0) counts.equal++
  else wrong++
  for (const part of differing) console.log(`differs  ${name}: ${part} ${found[part]}, not ${expected[part]}`)
}
for (const name of [...ours.keys()].sort()) if (!theirs.has(name)) console.log(`only here  ${name}`)
console.log(
  `${counts.all} families there, ${counts.meaningful} of them mean something here; ${counts.here} are here, ${counts.equal} with the same type, stage, labels and buckets`
)

/** Every resource that a server lists, with its group version. */
async function resources(server) {
  const json = async path => JSON.parse((await server.send({ path })).body.toString())
  const groups = (await json('/apis')).groups.flatMap(({ versions }) => versions.map(v => `/apis/${v.groupVersion}`))
  const found = []
  for (const path of ['/api/v1', ...groups])
    for (const { name, verbs } of (await json(path)).resources)
      if (!name.includes('/')) found.push({ path: `${path}/${name}`, method: verbs.includes('list') ? 'GET' : 'POST' })
  return found
}

const warningOf = async (server, request) => (await server.send(request)).headers.warning ?? ''
let deprecated = 0
for (const request of await resources(reference)) {
  const [expected, found] = [await warningOf(reference, request), await warningOf(target, request)]
  if (expected) deprecated++
  if (expected === found) continue
  wrong++
  console.log(`warning of ${request.path}: ${found || 'none'}, not ${expected || 'none'}`)
}
console.log(`${deprecated} deprecated resources`)
reference.close()
target.close()
process.exitCode = wrong > 0 ? 1 : 0
