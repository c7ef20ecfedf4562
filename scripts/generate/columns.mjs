#!/usr/bin/env node
// Requests every resource of a running kube-apiserver as a Table, and writes the column definitions to
//   src/kinds/generated/columns.json   by "resource" or "group/resource", one line a resource
//
//   node scripts/generate/columns.mjs https://127.0.0.1:6443 [TOKEN]
//
// Start kube-apiserver with --runtime-config=api/all=true and --feature-gates=AllAlpha=true,AllBeta=true, so that it serves every
// kind. The columns of kinds that it does not serve stay unchanged. All versions of a kind have the same columns.
import fs from 'node:fs'
import { Cluster } from '../compare/cluster.mjs'
import { Server } from '../compare/server.mjs'

const [url, token = 'admin-token'] = process.argv.slice(2)
if (!url) throw new Error('usage: columns.mjs URL [TOKEN]')
const server = new Server(url, token)
const cluster = await Cluster.of(server, server)
const known = new Map()
for (const resource of cluster.resources.filter(r => r.verbs.includes('list'))) {
  const key = resource.group === '' ? resource.resource : `${resource.group}/${resource.resource}`
  const path = cluster.pathOf(resource).replace('$NS', 'default')
  const { status, body } = await server.send({ path, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })
  if (status !== 200) throw new Error(`${path}: ${status}`)
  const columns = JSON.stringify(JSON.parse(body.toString()).columnDefinitions)
  if ((known.get(key) ?? columns) !== columns) throw new Error(`${path}: other columns than other versions have`)
  known.set(key, columns)
}
const file = 'src/kinds/generated/columns.json'
for (const [key, columns] of Object.entries(JSON.parse(fs.readFileSync(file, 'utf8')))) {
  if (known.has(key)) continue
  console.log(`${key}: not served, its columns stay`)
  known.set(key, JSON.stringify(columns))
}
const lines = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, columns]) => `${JSON.stringify(key)}:${columns}`)
fs.writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} resources`)
server.close()
