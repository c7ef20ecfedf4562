#!/usr/bin/env node
// Creates and updates the objects of files on a running kube-apiserver and on Binnacle, and prints how the answers differ: each kind
// of difference once.
//
//   node scripts/compare/objects.mjs --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444 [--from N] [--count N] [--all] FILE…
//
// A line of a file is a JSON object { new, old?, subresource? }. Without `old`, `new` is created as a dry run. With it, `old` is created, then
// `new` replaces it, or is written to the subresource.
//
//   --from N, --count N   only these lines
//   --ways                as dry runs before: `new` replaces and patches `old` in every way, and its subresources
//   --all                 prints every difference, also of a kind that was printed before
//
// Both servers need the flags that docs/compare.md names. Exit status: 1 when answers differ.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { parseOptions } from '../shared/options.mjs'
import { comparable } from './answer.mjs'
import { Cluster } from './cluster.mjs'
import { differences, kindOfDifference } from './differences.mjs'
import { printDifference } from './report.mjs'
import { Server } from './server.mjs'

const { values: options, positionals: files } = parseOptions({
  allowPositionals: true,
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    from: { type: 'number', default: 0 },
    count: { type: 'number', default: Infinity },
    all: { type: 'boolean', default: false },
    ways: { type: 'boolean', default: false }
  }
})
if (!options.reference || !options.target || files.length === 0)
  throw new Error('usage: scripts/compare/objects.mjs --reference URL --target URL FILE…')

const servers = [options.reference, options.target].map(url => new Server(url, 'admin-token'))
const send = request => Promise.all(servers.map(server => server.send(request)))
const cluster = await Cluster.of(...servers)
const ns = `o${randomBytes(4).toString('hex')}`
const variables = { NS: ns }
const known = new Set()
let compared = 0
let differing = 0

await send({ path: '/api/v1/namespaces', body: { metadata: { name: ns } } })
await send({ path: `/api/v1/namespaces/${ns}/serviceaccounts`, body: { metadata: { name: 'default' } } })
const lines = files.flatMap(file => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean))
const from = Number(options.from)
for (const [index, line] of lines.slice(from, from + options.count).entries())
  await play(JSON.parse(line), index + from).catch(error => {
    // kube-apiserver closes the connection when a request makes it panic
    if (error.code !== 'ECONNRESET') throw error
  })
await send({ method: 'DELETE', path: `/api/v1/namespaces/${ns}` })
for (const server of servers) server.close()
console.log(`${compared} answers compared, ${differing} differ, ${known.size} kinds of difference`)
process.exitCode = known.size > 0 ? 1 : 0

async function play({ new: object, old, subresource }, line) {
  const kind = resourceOf(object)
  if (!kind) return
  if (!old) return compare({ path: `${pathOf(kind)}?dryRun=All`, body: prepared(object, kind) }, line)
  const body = prepared(old, kind)
  const created = await send({ path: pathOf(kind), body })
  if (created.some(({ status }) => status !== 201)) return
  const { name } = JSON.parse(created[0].body).metadata
  const path = pathOf(kind, name)
  try {
    if (old.status && kind.subresources.some(s => s.name === 'status'))
      await send({ method: 'PUT', path: `${path}/status`, body: { ...body, metadata: { ...body.metadata, name } } })
    const replacement = prepared(object, kind)
    replacement.metadata.name = name
    if (options.ways) for (const request of waysToWrite(kind, path, replacement)) await compare(request, line)
    await compare({ method: 'PUT', path: subresource ? `${path}/${subresource}` : path, body: replacement }, line)
  } finally {
    await send({
      method: 'PATCH',
      path,
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' }
    })
    await send({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` })
  }
}

const writable = ['status', 'approval', 'finalize', 'resize', 'ephemeralcontainers']

function waysToWrite({ subresources }, path, body) {
  const parts = subresources.filter(({ name, verbs }) => writable.includes(name) && verbs.includes('update'))
  return ['', ...parts.map(({ name }) => `/${name}`)].flatMap(part => {
    const at = `${path}${part}?dryRun=All`
    const patch = (type, more = '') => ({
      method: 'PATCH',
      path: `${at}${more}`,
      body,
      headers: { 'content-type': `application/${type}` }
    })
    return [
      { method: 'PUT', path: at, body },
      patch('merge-patch+json'),
      patch('strategic-merge-patch+json'),
      patch('apply-patch+yaml', '&fieldManager=other&force=true')
    ]
  })
}

function resourceOf({ apiVersion, kind }) {
  const [version, group = ''] = apiVersion.split('/').reverse()
  return cluster.resources.find(
    r => r.kind === kind && r.version === version && r.group === group && r.verbs.includes('create') && !r.resource.includes('/')
  )
}

function pathOf(kind, name) {
  return cluster.pathOf(kind, name && encodeURIComponent(name)).replace('$NS', ns)
}

function prepared(object, { namespaced }) {
  const body = structuredClone(object)
  body.metadata ??= {}
  for (const field of ['resourceVersion', 'uid', 'creationTimestamp', 'namespace']) delete body.metadata[field]
  if (namespaced && object.metadata?.namespace) body.metadata.namespace = ns
  return body
}

async function compare(request, line) {
  const answers = await send(request)
  compared++
  const [reference, target] = answers.map((answer, i) => comparable(answer, servers[i].host, variables))
  const found = differences(reference, target)
  if (found.length === 0) return
  differing++
  const path = request.path.replaceAll(ns, '$NS')
  const kind = kindOfDifference({ ...request, path: path.replace(/(\/[^/]+)$/, '') }, found, true)
  if (known.has(kind) && !options.all) return
  known.add(kind)
  printDifference(
    { title: 'objects', how: `line ${line}` },
    { request: { ...request, path }, index: 0, found, reference, target },
    []
  )
}
