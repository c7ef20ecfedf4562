#!/usr/bin/env node
// Extracts the doc comments from three packages of type files, which were generated from Kubernetes' OpenAPI document, and writes
// build/apiserver/openapi/generated/descriptions.json: the descriptions of types, fields and query parameters. Part of the build; its
// output is not committed.
//
// The JavaScript client has the texts of the exact release, but joins their lines, and lacks those of fields whose type is a
// struct. kubernetes-models keeps the lines and the structs, but may be of another release, and shows the type's text for a
// named scalar type. kubernetes-types has complete texts, of an old release.
//
//   node scripts/generate/descriptions.mjs [OUT]
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = process.argv[2] ?? path.join(root, 'build/apiserver/openapi/generated/descriptions.json')
const source = path.join(root, 'node_modules/kubernetes-descriptions/dist/gen')
if (!fs.existsSync(source)) {
  console.log('kubernetes-descriptions is not installed: kubectl explain will show fields without texts')
  process.exit(0)
}
const short = JSON.parse(fs.readFileSync(path.join(root, 'src/apimachinery/schema/generated/types.json'), 'utf8'))
const { openApiName, patchName, scalarNames } = await import(path.join(root, 'build/apiserver/openapi/type-names.js'))

const entities = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'", '#x3D': '=', '#x60': '`', '#96': '`' }
const clean = text =>
  text
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
    .replace(/\n@deprecated$/, '')
    // what would end a comment
    .replace(/\*_\//g, '*/')
    .replace(/\/_\*/g, '/*')
    .replace(/\\([\\'"`])/g, '$1')
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

/** Undoes the escapes of kubernetes-models for what Markdown would take for markup. */
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

/** The interfaces of a file of kubernetes-types, by name. */
function readPlain(file) {
  if (!fs.existsSync(file)) return {}
  const found = {}
  let current
  let text
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (text !== undefined) {
      text += `\n${line.replace(/^ *\*\/?( |$)/, '')}`
      if (!line.endsWith('*/')) continue
      comment = plain(text)
      text = undefined
      continue
    }
    const type = /^export (?:interface|type) (\w+)/.exec(line)
    const field = /^ {4}"?([\w$-]+)"?\??:/.exec(line)
    const begun = /^ *\/\*\*(.*)$/.exec(line)
    if (begun) {
      if (begun[1].endsWith('*/')) comment = plain(begun[1].slice(0, -2))
      else text = begun[1]
    } else if (type) current = found[type[1]] = { d: comment, f: {} }
    else if (field && current) current.f[field[1]] = comment
    if (type || field) comment = undefined
  }
  return found
}
let comment
const plain = text =>
  text
    .trim()
    .replace(/\*_\//g, '*/')
    .replace(/\*\\\//g, '*/')
const plainFiles = new Map()
/** "core.v1.Pod" → its texts in kubernetes-types/core/v1.d.ts */
function plainOf(short) {
  const [group, ...rest] = short.split('.')
  const kind = rest.pop()
  return plainIn(`${group.split('.')[0]}/${rest.join('/')}`)[kind]
}
function plainIn(name) {
  if (!plainFiles.has(name)) plainFiles.set(name, readPlain(path.join(models, 'kubernetes-types', `${name}.d.ts`)))
  return plainFiles.get(name)
}

const words = text => text.replace(/\s+/g, ' ').trim()
/** Splits lines that were joined: each end of a line became a space, followed by the indentation, which is even. */
function split(text) {
  let indented = false
  const lines = text.replace(/(\S)( {2,})(?=(\S))/g, (all, before, { length }, after) => {
    // these two spaces were typed
    if (length === 2 && !indented && (/[a-z]/.test(after) || text.startsWith('insecureSkipTLSVerifyBackend'))) return all
    const [ends, indentation] = length % 2 === 0 ? [2, length - 2] : [1, length - 1]
    indented = indentation > 0
    return `${before}${'\n'.repeat(ends)}${' '.repeat(indentation)}`
  })
  // an item of a list after one whose lines are indented
  return lines.replace(/(\n {2}[^\n]*\.) (?=- )/g, '$1\n')
}

/** Returns the text of the release, in the lines of another one where the words are the same. */
function better(text, others) {
  const known = others.filter(other => other !== undefined)
  if (text === undefined) return known[0]
  // enumerations are a text's end, which the release's lack
  return known.find(other => words(other).startsWith(words(text))) ?? split(text)
}

/** `own`: the release's; `others`: the better ones first. */
function merged(own, others) {
  const all = [own, ...others].filter(Boolean)
  if (all.length === 0) return undefined
  const fields = new Set(all.flatMap(type => Object.keys(type.f)))
  return {
    d: better(
      own?.d,
      others.map(type => type?.d)
    ),
    f: Object.fromEntries(
      [...fields].map(field => [
        field,
        better(
          own?.f[field],
          others.map(type => type?.f[field])
        )
      ])
    )
  }
}

/** Whether a field has a text because its type has it. */
const isTypeText = text =>
  /^(IntOrString is a type that|MicroTime is version of|JSON represents any|JSONSchemaPropsOr)/.test(text)
function withoutTypeTexts(type) {
  return type && { d: type.d, f: Object.fromEntries(Object.entries(type.f).filter(([, text]) => !isTypeText(text))) }
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
  const found = merged(withoutTypeTexts(candidates.map(readModel).find(Boolean)), [
    withoutTypeTexts(readLines(modelFile(name))),
    plainOf(name)
  ])
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
types[scalarNames.quantity] = { d: plainIn('api/resource').Quantity?.d, f: {} }
for (const [scalar, kind] of [
  ['json', 'JSON'],
  ['schemaOrArray', 'JSONSchemaPropsOrArray'],
  ['schemaOrBool', 'JSONSchemaPropsOrBool'],
  ['schemaOrStringArray', 'JSONSchemaPropsOrStringArray']
])
  types[scalarNames[scalar]] = { d: plainIn('apiextensions/v1')[kind]?.d, f: {} }
types[scalarNames.raw] = { d: plainIn('runtime').RawExtension?.d, f: {} }

/** Finds which resource a method's parameters belong to, where others have parameters of the same name. */
function ownerOf(method) {
  if (method.startsWith('patch')) return 'patch'
  if (/^read\w*PodLog$/.test(method)) return 'PodLogOptions'
  const connect = /^connect[A-Z][a-z]+(?:Namespaced)?(Pod|Node|Service)(Attach|Exec|Portforward|Proxy)/.exec(method)
  return connect && `${connect[1]}${connect[2].replace('forward', 'Forward')}Options`
}
const parameters = {}
for (const file of fs.readdirSync(path.join(source, 'apis')).filter(f => f.endsWith('Api.d.ts'))) {
  const blocks = fs.readFileSync(path.join(source, 'apis', file), 'utf8').matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)\(/g)
  for (const [, comment, method] of blocks) {
    const owner = ownerOf(method)
    for (const [, name, text] of comment.matchAll(/^\s*\* @param (\w+) ([^\n]+)$/gm)) {
      if (['body', 'options', '_options'].includes(name)) continue
      const key = name.replace(/^_/, '')
      if (owner) parameters[`${owner} ${key}`] ??= split(clean(text))
      else parameters[key] ??= split(clean(text))
    }
  }
}
fs.mkdirSync(path.dirname(out), { recursive: true })
fs.writeFileSync(out, JSON.stringify({ types, parameters }))
