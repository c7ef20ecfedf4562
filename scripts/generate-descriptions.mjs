#!/usr/bin/env node
// Takes the doc comments of two packages of type files, which Kubernetes' own OpenAPI document was turned into, and writes
// dist/openapi/generated/descriptions.json: what types, fields and query parameters mean. Part of the build; its output is
// not committed.
//
// The JavaScript client has the texts of the very release, but joins their lines, and has none for fields whose type is a
// struct. kubernetes-models has the lines and the structs, but may be of another release.
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
const { openApiName, patchName, scalarNames } = await import(path.join(root, 'dist/openapi/type-names.js'))

const entities = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'", '#x3D': '=', '#x60': '`', '#96': '`' }
const clean = text =>
  text
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
    .replace(/\\(['"`])/g, '$1')
    .replace(/\\?&(quot|amp|lt|gt|#39|#x3D|#x60|#96);/g, (_, name) => entities[name])

const models = path.join(root, 'node_modules')
/** "core.v1.Pod" → kubernetes-models/v1/Pod.d.ts */
function modelFile(short) {
  const [group, ...rest] = short.split('.')
  const kind = rest.pop()
  const version = rest.join('/')
  const machinery = path.join(models, '@kubernetes-models/apimachinery')
  if (group === 'meta') return path.join(machinery, 'apis/meta', version, `${kind}.d.ts`)
  const folder = path.join(models, 'kubernetes-models')
  if (group === 'core') return path.join(folder, version, `${kind}.d.ts`)
  const found = groups.find(g => g === group || g.split('.')[0] === group)
  return found && path.join(folder, found, version, `${kind}.d.ts`)
}
const groups = fs.existsSync(path.join(models, 'kubernetes-models')) ? fs.readdirSync(path.join(models, 'kubernetes-models')) : []

/** The texts of kubernetes-models escape what Markdown would take for markup. */
const unescaped = text => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

function readLines(file) {
  if (!file || !fs.existsSync(file)) return undefined
  const text = fs.readFileSync(file, 'utf8')
  const type = /\/\*\*\n((?:\s*\*[^\n]*\n)*?)\s*\*\/\nexport (?:interface|declare type|type)/.exec(text)
  const fields = {}
  for (const match of text.matchAll(/ {4}\/\*\*\n((?:\s*\*[^\n]*\n)*?)\s*\*\/\n\s*"([^"]+)"\??:/g))
    fields[match[2]] = unescaped(clean(match[1]))
  return { d: type ? unescaped(clean(type[1])) : undefined, f: fields }
}

const words = text => text.replace(/\s+/g, ' ').trim()
/** The text of the release, in the lines of the other where the words are the same. */
const better = (text, lines) =>
  text === undefined || (lines !== undefined && words(lines).startsWith(words(text))) ? lines : text

function merged(own, lines) {
  if (!own || !lines) return own ?? lines
  const fields = new Set([...Object.keys(own.f), ...Object.keys(lines.f)])
  return {
    d: better(own.d, lines.d),
    f: Object.fromEntries([...fields].map(field => [field, better(own.f[field], lines.f[field])]))
  }
}

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
  const found = merged(candidates.map(readModel).find(Boolean), readLines(modelFile(name)))
  if (found) types[openApiName(name)] = found
}
const scalarFiles = {
  [scalarNames.intOrString]: 'util/intstr/IntOrString',
  [scalarNames.time]: 'apis/meta/v1/Time',
  [scalarNames.microTime]: 'apis/meta/v1/MicroTime',
  [scalarNames.fieldsV1]: 'apis/meta/v1/FieldsV1',
  [patchName]: 'apis/meta/v1/Patch'
}
for (const [name, file] of Object.entries(scalarFiles)) {
  const found = readLines(path.join(models, '@kubernetes-models/apimachinery', `${file}.d.ts`))
  if (found) types[name] = { d: found.d, f: {} }
}
const parameters = {}
for (const file of fs.readdirSync(path.join(source, 'apis')).filter(f => f.endsWith('Api.d.ts'))) {
  for (const [, name, text] of fs
    .readFileSync(path.join(source, 'apis', file), 'utf8')
    .matchAll(/^\s*\* @param (\w+) ([^\n]+)$/gm)) {
    if (!['body', 'options', '_options'].includes(name))
      parameters[name.replace(/^_/, '')] ??= clean(text).replace(/(\S) {2}(?=\S)/g, '$1\n\n')
  }
}
fs.mkdirSync(path.dirname(out), { recursive: true })
fs.writeFileSync(out, JSON.stringify({ types, parameters }))
