#!/usr/bin/env node
// Writes scripts/generate/facts/gated-types.json: the types that a kube-apiserver publishes when it emulates older releases, and the facts of its
// release lack, because the release itself serves them no more. scripts/generate/schema.mjs reads it.
//
//   node scripts/generate/gated-types.mjs https://127.0.0.1:6443,https://127.0.0.1:6444 ../shared/facts-1.37.2 [TOKEN]
//
// Start a kube-apiserver for each release that can be emulated, with --emulated-version and --runtime-config=api/all=true.
import fs from 'node:fs'
import path from 'node:path'
import { Server } from '../compare/server.mjs'

const [urls, facts, token = 'admin-token'] = process.argv.slice(2)
if (!facts) throw new Error('usage: gather-gated-types.mjs URL[,URL] FACTS [TOKEN]')
const withoutDescriptions = (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)

const { definitions } = JSON.parse(fs.readFileSync(path.join(facts, 'openapi-v2-definitions-all-gates.json'), 'utf8'))
const isNew = ([name]) => !Object.hasOwn(definitions, name)
const v2 = []
const v3 = []
for (const url of urls.split(',')) {
  const server = new Server(url, token)
  const get = async path => JSON.parse((await server.send({ path, headers: { accept: 'application/json' } })).body.toString())
  v2.push(...Object.entries((await get('/openapi/v2')).definitions).filter(isNew))
  for (const [name, { serverRelativeURL }] of Object.entries((await get('/openapi/v3')).paths))
    if (name.startsWith('apis/') && name.split('/').length === 3)
      v3.push(...Object.entries((await get(serverRelativeURL)).components?.schemas ?? {}).filter(isNew))
}

const folder = path.join(import.meta.dirname, 'facts')
fs.mkdirSync(folder, { recursive: true })
const found = {
  v2: Object.fromEntries(v2.sort(([a], [b]) => (a < b ? -1 : 1))),
  v3: Object.fromEntries(v3.sort(([a], [b]) => (a < b ? -1 : 1)))
}
fs.writeFileSync(path.join(folder, 'gated-types.json'), `${JSON.stringify(found, withoutDescriptions, 1)}\n`)
console.log(`${v2.length} types: ${v2.map(([name]) => name).join(' ')}`)
