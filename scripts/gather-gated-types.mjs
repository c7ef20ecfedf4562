#!/usr/bin/env node
// Writes scripts/facts/gated-types.json: the types that a running kube-apiserver publishes and the facts of its release lack,
// because kube-apiserver serves them only behind feature gates. scripts/generate-schema.mjs reads it.
//
//   node scripts/gather-gated-types.mjs https://127.0.0.1:6443 ../shared/facts [TOKEN]
//
// Start kube-apiserver with --feature-gates=ClusterTrustBundle=true,ClusterTrustBundleProjection=true,PodCertificateRequest=true and
// --runtime-config=certificates.k8s.io/v1alpha1=true,certificates.k8s.io/v1beta1=true.
import fs from 'node:fs'
import path from 'node:path'
import { Server } from './compare/server.mjs'

const [url, facts, token = 'admin-token'] = process.argv.slice(2)
if (!facts) throw new Error('usage: gather-gated-types.mjs URL FACTS [TOKEN]')
const server = new Server(url, token)
const get = async path => JSON.parse((await server.send({ path, headers: { accept: 'application/json' } })).body.toString())
const withoutDescriptions = (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)

const { definitions } = JSON.parse(fs.readFileSync(path.join(facts, 'openapi-v2-definitions.json'), 'utf8'))
const isNew = ([name]) => !Object.hasOwn(definitions, name)
const v2 = Object.entries((await get('/openapi/v2')).definitions).filter(isNew)
const v3 = []
for (const [name, { serverRelativeURL }] of Object.entries((await get('/openapi/v3')).paths))
  if (name.startsWith('apis/') && name.split('/').length === 3)
    v3.push(...Object.entries((await get(serverRelativeURL)).components?.schemas ?? {}).filter(isNew))

const folder = path.join(import.meta.dirname, 'facts')
fs.mkdirSync(folder, { recursive: true })
const found = { v2: Object.fromEntries(v2), v3: Object.fromEntries(v3.sort(([a], [b]) => (a < b ? -1 : 1))) }
fs.writeFileSync(path.join(folder, 'gated-types.json'), `${JSON.stringify(found, withoutDescriptions, 1)}\n`)
console.log(`${v2.length} types: ${v2.map(([name]) => name).join(' ')}`)
server.close()
