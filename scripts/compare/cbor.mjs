#!/usr/bin/env node
// Sends the same requests, most of them in CBOR, to a running kube-apiserver and to Binnacle, and compares the answers byte by byte, but for
// what differs between any two servers and for the order of keys in maps.
//
//   node scripts/compare/cbor.mjs --reference https://127.0.0.1:6443 --target https://127.0.0.1:6444 [--only AREA]
//
// docs/compare.md says how to start the servers; give both --feature-gates=CBORServingAndStorage=true. Exit status: 1 when something differs.
import { setTimeout } from 'node:timers/promises'
import { parseOptions } from '../shared/options.mjs'
import { canonical, masked, withoutKnown } from './cbor/canonical.mjs'
import { areas, definition } from './cbor/requests.mjs'
import { Cluster } from './cluster.mjs'
import { Server } from './server.mjs'

const { values: options } = parseOptions({
  options: {
    reference: { type: 'string' },
    target: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
    only: { type: 'string' }
  }
})
const servers = [new Server(options.reference, options.token), new Server(options.target, options.token)]

async function answer(server, request) {
  const { status, headers, body } = await server
    .send(request)
    .catch(error => ({ status: error.message, headers: {}, body: Buffer.alloc(0) }))
  const type = headers['content-type'] ?? ''
  const content = type.includes('cbor') ? canonical(body).map(shownAs(request)) : [body.toString()]
  return masked(JSON.stringify([status, type, headers.warning ?? '', ...content], null, 1).replaceAll('\\"', '"'))
}

/** Compares only the keys of pages about a server itself. */
const shownAs = ({ shape }) => (shape ? text => text.replaceAll(/: (?!\{)[^{}]*?(?=, b|\})/g, ': …') : text => text)

const core = '/api/v1/namespaces/cbor'

async function prepare() {
  for (const server of servers) {
    const metadata = { name: 'cbor' }
    await server.send({ path: '/api/v1/namespaces', body: { kind: 'Namespace', apiVersion: 'v1', metadata } })
    await server.send({
      path: `${core}/serviceaccounts`,
      body: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default' } }
    })
    await server.send({ path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition })
    for (let i = 0; ; i++) {
      if (i > 100) throw new Error('the definition of the widgets is not established')
      if ((await server.send({ path: '/apis/cbor.example.com/v1/widgets' })).status === 200) break
      await setTimeout(100)
    }
  }
  const cleaning = [
    ...['widgets/one', 'widgets/applied'].map(path => `/apis/cbor.example.com/v1/namespaces/cbor/${path}`),
    ...['configmaps/one', 'configmaps/applied', 'secrets/one', 'serviceaccounts/robot'].map(path => `${core}/${path}`)
  ]
  for (const server of servers) for (const path of cleaning) await server.send({ method: 'DELETE', path })
}

await prepare()
const cluster = await Cluster.of(...servers)
let count = 0
let different = 0
let known = 0
for (const [area, requests] of Object.entries(areas)) {
  if (options.only && options.only !== area) continue
  for (const request of requests(cluster)) {
    count++
    const [expected, found] = await Promise.all(servers.map(server => answer(server, request)))
    if (expected === found) continue
    if (withoutKnown(expected) === withoutKnown(found)) {
      known++
      continue
    }
    different++
    const { method = request.body === undefined ? 'GET' : 'POST', path, headers, body } = request
    console.log(`${area}: ${method} ${path} ${JSON.stringify(headers)}`)
    if (body !== undefined)
      console.log(`  ${Buffer.isBuffer(body) ? `${canonical(body)}\n  ${body.toString('hex')}` : JSON.stringify(body)}`)
    console.log(`  expected ${expected}\n  found    ${found}`)
  }
}
console.log(`${count} requests, ${different} answers differ, and ${known} in what docs/formats.md says`)
for (const server of servers) server.close()
process.exitCode = different > 0 ? 1 : 0
