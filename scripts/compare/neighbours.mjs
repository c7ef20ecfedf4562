#!/usr/bin/env node
// Two servers on one etcd, kube-apiserver and Binnacle: each shows, lists, changes and deletes what the other one has written, of every kind.
//
//   node scripts/compare/neighbours.mjs --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444 [--token admin-token] [--group NAME]
//
// Start both with the same --etcd-servers, --etcd-prefix and flags, with --endpoint-reconciler-type=none, and without controllers (docs/compare.md).
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { differences } from '../../test/conformance/answer.mjs'
import { parseOptions } from '../shared/options.mjs'
import { basesOf, scenarioBodies } from './bases.mjs'
import { Cluster } from './cluster.mjs'
import { merge } from './patch-types.mjs'
import { Server } from './server.mjs'
import { collectionOf, named } from './stored.mjs'

/** The most objects of a kind by each server. */
const most = 6

const { values: options } = parseOptions({
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
    group: { type: 'string' }
  }
})
if (!options.reference || !options.target) throw new Error('usage: neighbours.mjs --reference URL --target URL')
const servers = ['reference', 'target'].map(name => ({ name, client: new Server(options[name], options.token) }))
const cluster = await Cluster.of(servers[0].client, servers[1].client)
const bodies = await scenarioBodies()
const run = `x${Date.now().toString(36)}`
const namespace = `neighbours-${run}`
const replaced = value =>
  JSON.parse(JSON.stringify(value).replaceAll('$NS', namespace).replaceAll('$RUN', run).replaceAll('$ID', run))
let checks = 0
let found = 0

async function send(server, method, path, body, headers) {
  const { status, body: bytes } = await server.client.send({
    method,
    path,
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {})
  })
  return { status, body: bytes.length > 0 && bytes[0] === 0x7b ? JSON.parse(bytes) : bytes.toString() }
}

function report(what, lines) {
  found++
  console.log(what)
  for (const line of lines.slice(0, 5)) console.log(`    ${line}`)
}

/** Compares what both show; a list may lag behind in the cache of the one that did not write. */
async function same(path, what) {
  checks++
  let shown
  for (let tries = 0; tries < 20; tries++) {
    shown = await Promise.all(servers.map(server => send(server, 'GET', path)))
    for (const { body } of shown) if (body?.items) delete body.metadata.resourceVersion
    if (isDeepStrictEqual(shown[0], shown[1])) return
    await wait(100)
  }
  report(`${what}: ${path}`, differences(shown[0], shown[1]))
}

await send(servers[0], 'POST', '/api/v1/namespaces', { metadata: { name: namespace } })
await send(servers[0], 'POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } })
await wait(500)
const kinds = cluster.resources.filter(
  r =>
    ['create', 'update', 'list', 'delete'].every(verb => r.verbs.includes(verb)) &&
    !['apiservices', 'customresourcedefinitions', 'namespaces'].includes(r.resource) &&
    // configurations that would refuse or change what follows
    !r.resource.startsWith('mutating') &&
    !r.resource.startsWith('validating') &&
    (options.group === undefined || r.group === options.group)
)
for (const kind of kinds) {
  const path = replaced({ path: collectionOf(cluster, kind) }).path
  const label = `${kind.group || 'core'}/${kind.version} ${kind.resource}`
  const written = []
  for (const [s, writer] of servers.entries()) {
    for (const [i, base] of basesOf(kind, bodies).slice(0, most).entries()) {
      const object = replaced(named(base))
      delete object.metadata.generateName
      if (object.metadata.name === undefined || /^[\w-]+$/.test(object.metadata.name)) object.metadata.name = `${run}-${s}${i}`
      const { status, body } = await send(writer, 'POST', path, object)
      if (status === 201) written.push({ at: `${path}/${encodeURIComponent(body.metadata.name)}`, writer, other: servers[1 - s] })
    }
  }
  for (const { at, writer, other } of written) {
    await same(at, `${label}, made by ${writer.name}`)
    const headers = { 'content-type': merge }
    const { status, body } = await send(other, 'PATCH', at, { metadata: { annotations: { neighbour: other.name } } }, headers)
    if (status !== 200)
      report(`${label}, made by ${writer.name}, not changed by ${other.name}: ${at}`, [`${status} ${body.message}`])
    await same(at, `${label}, made by ${writer.name} and changed by ${other.name}`)
    const shown = await send(writer, 'GET', at)
    if (shown.status === 200) {
      const again = await send(writer, 'PUT', at, shown.body)
      if (again.status !== 200)
        report(`${label}, not written again by ${writer.name}: ${at}`, [`${again.status} ${again.body.message}`])
      else {
        // another encoding of the same is a change of the version
        delete again.body.metadata.resourceVersion
        delete shown.body.metadata.resourceVersion
        const lines = differences(shown.body, again.body)
        if (lines.length > 0) report(`${label}, changed by a write of the same: ${at}`, lines)
      }
    }
  }
  if (written.length > 0) await same(path, `${label}, the list`)
  for (const { at, other } of written) {
    await send(other, 'PATCH', at, { metadata: { finalizers: null } }, { 'content-type': merge })
    await send(other, 'DELETE', `${at}?gracePeriodSeconds=0`)
  }
  if (written.length > 0) await same(path, `${label}, the list after deletions`)
}
await send(servers[1], 'DELETE', `/api/v1/namespaces/${namespace}`)
for (const { client } of servers) client.close()
console.log(`${kinds.length} resources, ${checks} comparisons, ${found} differences`)
process.exitCode = found === 0 ? 0 : 1
