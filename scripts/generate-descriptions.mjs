#!/usr/bin/env node
// Takes the doc comments of the JavaScript client's type files, which Kubernetes' own OpenAPI document was turned into, and
// writes dist/openapi/generated/descriptions.json: what types, fields and query parameters mean. Part of the build; its
// output is not committed.
//
//   node scripts/generate-descriptions.mjs [OUT]
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = process.argv[2] ?? path.join(root, 'dist/openapi/generated/descriptions.json')
const source = path.join(root, 'node_modules/kubernetes-descriptions/dist/gen')
if (!fs.existsSync(source)) {
  console.log('kubernetes-descriptions is not installed: kubectl explain will show fields without texts')
  process.exit(0)
}
const short = JSON.parse(fs.readFileSync(path.join(root, 'src/schema/generated/types.json'), 'utf8'))
const { openApiName } = await import(path.join(root, 'dist/openapi/type-names.js'))

const entities = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'", '#x3D': '=', '#x60': '`', '#96': '`' }
const clean = text =>
  text
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
    .replace(/\\(['"`])/g, '$1')
    .replace(/\\?&(quot|amp|lt|gt|#39|#x3D|#x60|#96);/g, (_, name) => entities[name])

function readModel(name) {
  const file = path.join(source, 'models', `${name}.d.ts`)
  if (!fs.existsSync(file)) return undefined
  const text = fs.readFileSync(file, 'utf8')
  const type = /\/\*\*\n((?:\s*\*[^\n]*\n)*?)\s*\*\/\nexport declare class/.exec(text)
  const fields = {}
  for (const match of text.matchAll(/ {4}\/\*\*\n((?:\s*\*[^\n]*\n)*?)\s*\*\/\n\s*'([^']+)'\??:/g)) {
    const json = match[2].replace(/^_/, '').replace(/^(\$?)(.*)$/, '$1$2')
    fields[json] = clean(match[1])
  }
  return { d: type ? clean(type[1]) : undefined, f: fields }
}

const types = {}
for (const name of Object.keys(short)) {
  const parts = name.split('.')
  const kind = parts.pop()
  const [group, version = ''] = parts
  const upper = s => s[0]?.toUpperCase() + s.slice(1)
  const candidates = [
    `${upper(group)}${version ? upper(version) : ''}${kind}`,
    `${version ? upper(version) : upper(group)}${kind}`
  ]
  const found = candidates.map(readModel).find(Boolean)
  if (found) types[openApiName(name)] = found
}
const parameters = {}
for (const file of fs.readdirSync(path.join(source, 'apis')).filter(f => f.endsWith('Api.d.ts'))) {
  for (const [, name, text] of fs
    .readFileSync(path.join(source, 'apis', file), 'utf8')
    .matchAll(/^\s*\* @param (\w+) ([^\n]+)$/gm)) {
    if (!['body', 'options', '_options'].includes(name)) parameters[name.replace(/^_/, '')] ??= clean(text)
  }
}
fs.mkdirSync(path.dirname(out), { recursive: true })
fs.writeFileSync(out, JSON.stringify({ types, parameters }))
