#!/usr/bin/env node
// Derives the table of built-in types from the facts of a Kubernetes release and from scripts/generate/facts/gated-types.json
// (scripts/generate/gated-types.mjs), and writes
//   src/apimachinery/schema/generated/types.json   one line per type: its fields, in the order in which they are written
//   src/apimachinery/schema/generated/registered.json   the kinds of every apiVersion that the scheme knows, served or not
//   src/apimachinery/api/generated/*.ts            the same as TypeScript interfaces, one file per group version
//
//   node scripts/generate/schema.mjs ../shared/facts-1.37.2
//
// A field record of types.json, short because there are thousands (load.ts reads it):
//   t type: a scalar, a type's short name, "[]x" list, "{}x" map     go   Go type in decoding errors, where not derivable
//   p Protobuf number, or a path of them                             n    Go field name, where not the capitalised name
//   i embedded Go structs that the field comes from, "Outer.Inner"
//   a always written   o pointer (absent and zero differ)   r required   d default   e enum
//   l list type   k list map keys   m map type   ps patch strategy   pk patch merge key
import fs from 'node:fs'
import path from 'node:path'

const facts = process.argv[2]
if (!facts) throw new Error('usage: schema.mjs FACTS')
const read = name => JSON.parse(fs.readFileSync(path.join(facts, name), 'utf8'))
const definitions = read('openapi-v2-definitions-all-gates.json').definitions
const goTypes = read('fields.json')
const messages = read('protobuf.json')
const v3 = {}
for (const file of fs.readdirSync(path.join(facts, 'openapi-v3-all-gates')))
  Object.assign(v3, read(`openapi-v3-all-gates/${file}`).components?.schemas ?? {})
// the facts lack the types of kinds that only an emulated older release serves
const gated = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'facts/gated-types.json'), 'utf8'))
Object.assign(definitions, gated.v2)
Object.assign(v3, gated.v3)
// only StorageVersionMigration has it: always written
goTypes['apimachinery/pkg/apis/meta/v1.GroupResource'] ??= {
  fields: Object.fromEntries(
    ['group', 'resource'].map(name => [
      name,
      { name: name[0].toUpperCase() + name.slice(1), type: 'string', omitEmpty: false, alwaysPresent: true }
    ])
  )
}
messages['k8s.io.apimachinery.pkg.apis.meta.v1.GroupResource'] ??= {
  group: { n: 1, type: 'string' },
  resource: { n: 2, type: 'string' }
}

// io.k8s.api.core.v1.Pod → { short: 'core.v1.Pod', facts: 'api/core/v1.Pod', message: 'k8s.io.api.core.v1.Pod', package: 'v1' }
function names(full) {
  const parts = full.replace(/^io\.k8s\./, '').split('.')
  const name = parts.pop()
  const module = parts.join('/')
  const short = parts
    .filter(p => !['api', 'apimachinery', 'pkg', 'apis', 'apiextensions-apiserver', 'kube-aggregator', 'util'].includes(p))
    .concat(name)
    .join('.')
  return {
    short,
    facts: `${module}.${name}`,
    message: `k8s.io.${parts.join('.').replace('apiextensions-apiserver', 'apiextensions_apiserver').replace('kube-aggregator', 'kube_aggregator')}.${name}`,
    package: parts.at(-1),
    module,
    name
  }
}
const scalarTypes = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'microTime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'fieldsV1',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'raw',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch': 'json',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'json',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': 'schemaOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': 'schemaOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray': 'schemaOrStringArray'
}
function typeOf(schema) {
  if (schema.$ref) {
    const full = schema.$ref.split('/').pop()
    return scalarTypes[full] ?? names(full).short
  }
  if (schema.type === 'array') return `[]${typeOf(schema.items)}`
  if (schema.type === 'object' && schema.additionalProperties) return `{}${typeOf(schema.additionalProperties)}`
  if (schema.type === 'string') return schema.format === 'byte' ? 'bytes' : 'string'
  if (schema.type === 'integer') return schema.format === 'int32' ? 'int32' : 'int64'
  if (schema.type === 'number') return 'double'
  if (schema.type === 'boolean') return 'bool'
  return 'json'
}
// How reflect prints a Go type of package `pkg`: named types with their package's name, import aliases resolved.
const builtin = new Set(['string', 'int32', 'int64', 'bool', 'float64', 'byte', 'interface{}'])
// Other versions of the group alias v1's type.
const aliased = new Set(['ReinvocationPolicyType'])
function goText(type, pkg) {
  if (type.startsWith('*')) return `*${goText(type.slice(1), pkg)}`
  if (type.startsWith('[]byte')) return '[]uint8'
  if (type.startsWith('[]')) return `[]${goText(type.slice(2), pkg)}`
  const map = /^map\[([^\]]+)\](.*)$/.exec(type)
  if (map) return `map[${goText(map[1], pkg)}]${goText(map[2], pkg)}`
  if (builtin.has(type)) return type
  const dot = type.indexOf('.')
  if (dot < 0) return `${aliased.has(type) ? 'v1' : pkg}.${type}`
  return `${type.slice(0, dot).replace(/^[a-z]+(v\d\w*)$/, '$1')}.${type.slice(dot + 1)}`
}
const resolve = (type, module) => {
  const dot = type.indexOf('.')
  if (dot < 0) return `${module}.${type}`
  const alias = type.slice(0, dot),
    name = type.slice(dot + 1)
  if (alias === 'metav1') return `apimachinery/pkg/apis/meta/v1.${name}`
  return Object.keys(goTypes).find(k => k.endsWith(`.${name}`) && k.includes('api/core/v1')) ?? `${module}.${name}`
}
// The Go fields of a struct with what it embeds, and the Protobuf path to each: an embedded struct is a nested message.
function flatten(factsName, messageName, path = [], embedded = []) {
  const out = new Map()
  // v1alpha1 and v1beta1 of some groups are aliases of v1's types
  const known = name => (goTypes[name] ? name : name.replace(/\/v1(alpha|beta)\d+\./, '/v1.'))
  const struct = goTypes[known(factsName)]
  if (!struct) return out
  if (!goTypes[factsName]) {
    factsName = known(factsName)
    messageName = messageName.replace(/\.v1(alpha|beta)\d+\./, '.v1.')
  }
  const message = messages[messageName] ?? {}
  const module = factsName.slice(0, factsName.lastIndexOf('.'))
  for (const [json, field] of Object.entries(struct.fields)) {
    const inline = /^\(inline\) (.*)$/.exec(json)
    if (!inline) {
      out.set(json, { ...field, module, embedded, proto: protoPath(message, json, field.type, path) })
      continue
    }
    if (inline[1].endsWith('TypeMeta')) continue
    const target = resolve(inline[1], module)
    const protoField = Object.values(message).find(f => f.type.split('.').pop() === inline[1].split('.').pop())
    const targetMessage = `k8s.io.${target.replaceAll('/', '.')}`
    const below = flatten(target, targetMessage, protoField ? [...path, protoField.n] : path, [
      ...embedded,
      target.split('.').pop()
    ])
    for (const [k, v] of below) out.set(k, v)
  }
  return out
}
// Protobuf names keep Go's capitals or lose what is no letter: aPIGroup, Webhooks, ref for $ref. A list type with a name,
// like Verbs, is a message of its own around the items.
function protoPath(message, json, goType, path) {
  const plain = name => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  const field = message[json] ?? Object.entries(message).find(([name]) => plain(name) === plain(json))?.[1]
  if (!field) return undefined
  const named = messages[`k8s.io.apimachinery.pkg.apis.meta.v1.${field.type}`]
  return named?.items && goType === field.type ? [...path, field.n, named.items.n] : [...path, field.n]
}
// Lists for which none and an empty one differ: the first is filled with defaults, the second refused; or both are stored as JSON.
const keepsEmpty = new Set([
  'autoscaling.v2.HPAScalingRules.policies',
  'apiextensions.v1.CustomResourceDefinitionStatus.conditions'
])
const table = {}
const problems = []
for (const [full, definition] of Object.entries(definitions)) {
  if (scalarTypes[full]) continue
  const { short, facts: factsName, message } = names(full)
  const fields = []
  const goFields = flatten(factsName, message)
  const required = definition.required ?? []
  for (const [json, schema] of Object.entries(definition.properties ?? {})) {
    const go = goFields.get(json)
    const record = { t: typeOf(schema) }
    const own = json === 'kind' || json === 'apiVersion'
    if (!go && !(own && !goFields.has('kind'))) problems.push(`${short}.${json}`)
    if (go) {
      const text = goText(go.type.replace(/^\*/, ''), go.module.split('/').pop())
      const derived = deriveGo(record.t, full)
      if (text !== derived) record.go = text
      if (go.proto) record.p = go.proto.length === 1 ? go.proto[0] : go.proto
      const capital = json[0].toUpperCase() + json.slice(1)
      if (go.name && go.name !== capital) record.n = go.name
      if (go.embedded.length > 0) record.i = go.embedded.join('.')
      if (go.type.startsWith('*') || keepsEmpty.has(`${short}.${json}`)) record.o = 1
      if (go.alwaysPresent) record.a = 1
      else if (['time', 'microTime'].includes(record.t) && !record.o && !go.omitZero) record.a = 1
    }
    if (required.includes(json)) record.r = 1
    const declared = v3[full]?.properties?.[json]?.default
    const zeros = ['""', '0', 'false']
    if (
      declared !== undefined &&
      JSON.stringify(declared) !== '{}' &&
      !(record.a && !record.o && zeros.includes(JSON.stringify(declared)))
    )
      record.d = declared
    if (schema.enum) record.e = schema.enum
    if (schema.items?.enum) record.e = schema.items.enum
    if (schema.additionalProperties?.enum) record.e = schema.additionalProperties.enum
    if (schema['x-kubernetes-list-type']) record.l = schema['x-kubernetes-list-type']
    if (schema['x-kubernetes-list-map-keys']) record.k = schema['x-kubernetes-list-map-keys']
    if (schema['x-kubernetes-map-type']) record.m = schema['x-kubernetes-map-type']
    if (schema['x-kubernetes-patch-strategy']) record.ps = schema['x-kubernetes-patch-strategy']
    if (schema['x-kubernetes-patch-merge-key']) record.pk = schema['x-kubernetes-patch-merge-key']
    fields.push([json, record])
  }
  const rank = ([json, r]) =>
    json === 'kind' && !goFields.has('kind')
      ? -2
      : json === 'apiVersion' && !goFields.has('apiVersion')
        ? -1
        : json === 'metadata'
          ? 0
          : Array.isArray(r.p)
            ? r.p[0] + r.p[1] / 1000
            : (r.p ?? 999)
  fields.sort((a, b) => rank(a) - rank(b))
  const entry = { f: Object.fromEntries(fields) }
  if (definition['x-kubernetes-group-version-kind'])
    entry.g = definition['x-kubernetes-group-version-kind'].map(g => [g.group, g.version, g.kind])
  if (definition['x-kubernetes-map-type']) entry.m = definition['x-kubernetes-map-type']
  if (definition['x-kubernetes-unions']) entry.u = definition['x-kubernetes-unions']
  if (required.length) entry.r = required
  table[short] = entry
}
function deriveGo(t) {
  if (t.startsWith('[]')) return `[]${deriveGo(t.slice(2))}`
  if (t.startsWith('{}')) return `map[string]${deriveGo(t.slice(2))}`
  const scalar = {
    double: 'float64',
    bytes: '[]uint8',
    quantity: 'resource.Quantity',
    intOrString: 'intstr.IntOrString',
    time: 'v1.Time',
    microTime: 'v1.MicroTime',
    fieldsV1: 'v1.FieldsV1',
    raw: 'runtime.RawExtension',
    json: 'v1.JSON',
    schemaOrArray: 'v1.JSONSchemaPropsOrArray',
    schemaOrBool: 'v1.JSONSchemaPropsOrBool',
    schemaOrStringArray: 'v1.JSONSchemaPropsOrStringArray'
  }[t]
  if (scalar) return scalar
  return t.includes('.') ? t.split('.').slice(-2).join('.') : t
}
const lines = Object.entries(table)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)
fs.mkdirSync('src/apimachinery/schema/generated', { recursive: true })
fs.writeFileSync('src/apimachinery/schema/generated/types.json', `{\n${lines.join(',\n')}\n}\n`)

// --- all kinds that kube-apiserver's scheme knows, served or not: a body of one of them gets another error than nonsense ---
const groupOf = new Map(
  Object.entries(table)
    .filter(([, t]) => t.g?.length === 1)
    .map(([short, t]) => [short.split('.')[0], t.g[0][0]])
)
const others = {
  extensions: 'extensions',
  storagemigration: 'storagemigration.k8s.io',
  imagepolicy: 'imagepolicy.k8s.io',
  admission: 'admission.k8s.io'
}
const registered = {}
for (const [full, type] of Object.entries(goTypes)) {
  const match = /^(?:api|apiextensions-apiserver\/pkg\/apis|kube-aggregator\/pkg\/apis)\/(\w+)\/(\w+)\.(\w+)$/.exec(full)
  if (!match || !Object.keys(type.fields).some(f => /^\(inline\) \w+\.TypeMeta$/.test(f))) continue
  const group = groupOf.get(match[1]) ?? others[match[1]]
  if (group === undefined) continue
  const apiVersion = group === '' ? match[2] : `${group}/${match[2]}`
  ;(registered[apiVersion] ??= []).push(match[3])
}
const registeredLines = Object.entries(registered)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v.sort())}`)
fs.writeFileSync('src/apimachinery/schema/generated/registered.json', `{\n${registeredLines.join(',\n')}\n}\n`)

// --- TypeScript ---
const files = new Map()
const fileOf = short => short.split('.').slice(0, -1).join('-')
const tsScalar = {
  string: 'string',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bool: 'boolean',
  bytes: 'string',
  quantity: 'string',
  intOrString: 'number | string',
  time: 'string | null',
  microTime: 'string | null',
  fieldsV1: 'Record<string, unknown>',
  raw: 'Record<string, unknown>',
  json: 'unknown',
  schemaOrArray: 'unknown',
  schemaOrBool: 'unknown',
  schemaOrStringArray: 'unknown'
}
for (const [short, type] of Object.entries(table)) {
  const file = fileOf(short)
  if (!files.has(file)) files.set(file, { imports: new Map(), text: [] })
  const { imports, text } = files.get(file)
  const ts = t => {
    if (t.startsWith('[]')) {
      const x = ts(t.slice(2))
      return /[| ]/.test(x) ? `(${x})[]` : `${x}[]`
    }
    if (t.startsWith('{}')) return `Record<string, ${ts(t.slice(2))}>`
    if (tsScalar[t]) return tsScalar[t]
    const other = fileOf(t),
      name = t.split('.').pop()
    if (other === file) return name
    const alias =
      other
        .split('-')
        .map(p => p[0].toUpperCase() + p.slice(1))
        .join('') + name
    if (!imports.has(other)) imports.set(other, new Map())
    imports.get(other).set(name, alias)
    return alias
  }
  const fields = Object.entries(type.f).map(([json, r]) => {
    const key = /^[A-Za-z_]\w*$/.test(json) ? json : JSON.stringify(json)
    const always = r.a && !r.o
    const struct = table[r.t] !== undefined && !r.o
    return `  ${key}${always || struct || (type.g && (json === 'kind' || json === 'apiVersion')) ? '' : '?'}: ${ts(r.t)}${r.a && (r.t.startsWith('[]') || r.t.startsWith('{}')) ? ' | null' : ''}${always || struct ? '' : ' | undefined'}`
  })
  text.push(
    fields.length
      ? `export interface ${short.split('.').pop()} {\n${fields.join('\n')}\n}`
      : `export type ${short.split('.').pop()} = Record<string, never>`
  )
}
// kinds.ts is scripts/generate/kind-types.mjs's
for (const file of fs.readdirSync('src/apimachinery/api/generated'))
  if (file !== 'kinds.ts') fs.rmSync(path.join('src/apimachinery/api/generated', file))
fs.mkdirSync('src/apimachinery/api/generated', { recursive: true })
for (const [file, { imports, text }] of [...files].sort()) {
  const head = [...imports].sort().map(
    ([other, nameMap]) =>
      `import type { ${[...nameMap]
        .map(([n, a]) => `${n} as ${a}`)
        .sort()
        .join(', ')} } from './${other}.js'`
  )
  fs.writeFileSync(
    `src/apimachinery/api/generated/${file}.ts`,
    `// Generated by scripts/generate/schema.mjs: the objects as Binnacle keeps them (decoded and normalised). Do not edit.\n${head.join('\n')}${head.length ? '\n\n' : '\n'}${text.join('\n\n')}\n`
  )
}
console.log(`${lines.length} types, ${files.size} files`)
if (problems.length) console.log('no Go facts for:', problems.join(' '))
