#!/usr/bin/env node
// Derives the declarative validation of a Kubernetes release (KEP-5073) from the +k8s: markers of its API types, and writes
// src/apimachinery/declared/generated/rules.json: a line per type with rules, and for each of its fields the rules in the order in which
// kube-apiserver evaluates them. Those of a field whose Go type is a string with a name of its own, enums, come from the modules.
//
//   node scripts/generate/declared-rules.mjs ../shared/facts-1.37.2 ~/go/pkg/mod/k8s.io 0.37.2
//
// A rule is "STAGE name(argument) … name=value": the stage is s (enforced), b (beta: replaces what is written by hand) or a (alpha: its errors
// are not shown, but it ends the validation of its field as the others do). src/apimachinery/declared/rules.ts reads it.
import fs from 'node:fs'
import path from 'node:path'

const [facts, modules, release] = process.argv.slice(2)
if (!release) throw new Error('usage: generate-declared-rules.mjs FACTS MODULES RELEASE')
const generated = path.join(import.meta.dirname, '../../src/apimachinery')
const goTypes = JSON.parse(fs.readFileSync(path.join(facts, 'fields.json'), 'utf8'))
const types = JSON.parse(fs.readFileSync(path.join(generated, 'schema/generated/types.json'), 'utf8'))

const roots = {
  meta: 'apimachinery/pkg/apis/meta',
  apiextensions: 'apiextensions-apiserver/pkg/apis/apiextensions',
  apiregistration: 'kube-aggregator/pkg/apis/apiregistration'
}
const factsName = short => {
  const [group, version, name] = short.split('.')
  return `${roots[group] ?? `api/${group}`}/${version}.${name}`
}

/** Tags that say something about the type and not about its values. */
const silent =
  /^(listType=atomic|openapi-gen|deepcopy-gen|conversion-gen|validation-gen|prerelease|supportsSubresource|isSubresource)/
const stages = { alpha: 'a', beta: 'b' }

/** Splits a marker into [stage, outermost tag, the whole rule]. */
function ruleOf(marker) {
  const text = marker.replace(/ +(#|\/\/).*$/, '')
  if (!text.startsWith('+k8s:')) return undefined
  const [, stage, inner] = /^\+k8s:(alpha|beta)\([^)]*\)=(.*)$/.exec(text) ?? [undefined, undefined, text]
  // "+k8s:ifEnabled(X)=+k8s:format=y" → "ifEnabled(X) format=y"
  const rule = inner
    .split(/=?\+k8s:/)
    .filter(Boolean)
    .join(' ')
    .replaceAll('"', '')
  const last = rule.split(' ').at(-1)
  if (silent.test(last)) return undefined
  // what is below is not validated, whatever the stage
  if (last === 'opaqueType') return { stage: 's', outer: last, rule: last }
  return { stage: stages[stage] ?? 's', outer: stage ?? /^\w+/.exec(rule)[0], rule }
}

/** In the order of their outermost tags: kube-apiserver's generator sorts by them. */
const rulesOf = markers => {
  const rules = (markers ?? []).map(ruleOf).filter(Boolean)
  rules.sort((a, b) => (a.outer < b.outer ? -1 : a.outer > b.outer ? 1 : 0))
  return rules.map(({ stage, rule }) => `${stage} ${rule}`)
}

const texts = new Map()
/** The text of the files of a Go package that declare its types. */
function textOf(module) {
  if (texts.has(module)) return texts.get(module)
  const [root, ...rest] = module.split('/')
  const folder = path.join(modules, `${root}@v${release}`, ...rest)
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter(file => /^types.*\.go$/.test(file)) : []
  texts.set(module, files.map(file => fs.readFileSync(path.join(folder, file), 'utf8')).join('\n'))
  return texts.get(module)
}

/** The subresources whose writes a type validates. Markers may stand in a comment of their own, before that of the type. */
function subresourcesOf(module, name) {
  const [, comments = ''] = new RegExp(`((?:^//.*\\n)*\\n?(?:^//.*\\n)*)\\n?^type ${name} struct`, 'm').exec(textOf(module)) ?? []
  return [...comments.matchAll(/^\/\/ \+k8s:supportsSubresource="(.*)"$/gm)].map(([, subresource]) => subresource)
}

/** By Go package, the rules of its named strings, with the values of enums. */
const packages = new Map()
function namedTypes(module) {
  let known = packages.get(module)
  if (known) return known
  packages.set(module, (known = new Map()))
  const text = textOf(module)
  for (const [, comment, name] of text.matchAll(/((?:^\/\/.*\n)+)\n?type (\w+) string\n/gm)) {
    const rules = rulesOf([...comment.matchAll(/^\/\/ (\+k8s:.*)$/gm)].map(([, marker]) => marker))
    const values = [...text.matchAll(new RegExp(`^\\t(?:const )?\\w+ +${name} = "([^"]*)"`, 'gm'))].map(([, value]) => value)
    if (rules.length > 0) known.set(name, { rules, values: values.sort() })
  }
  return known
}

/** The fields of a struct with those that it embeds. */
function* fieldsOf(goName) {
  const module = goName.slice(0, goName.lastIndexOf('.'))
  for (const [json, field] of Object.entries(goTypes[goName]?.fields ?? {})) {
    const [, inline] = /^\(inline\) (.*)$/.exec(json) ?? []
    if (!inline) yield [json, field, module]
    else if (!inline.includes('.')) yield* fieldsOf(`${module}.${inline}`)
  }
}

const lines = []
for (const short of Object.keys(types).sort()) {
  const goName = factsName(short)
  const fields = {}
  for (const [json, field, module] of fieldsOf(goName)) {
    const rules = rulesOf(field.markers)
    const named = namedTypes(module).get(field.type.replace(/^\*|^\[\]/, ''))
    const defaulted = (field.markers ?? []).some(marker => /^\+default=(?!""|0$|false)/.test(marker))
    const values = types[short].f[json]?.e ?? named?.values
    const ofType = (named?.rules ?? []).map(rule => rule.replace(' ', ' value ').replace(/\benum$/, `enum=${values}`))
    if (rules.length > 0 || named)
      fields[json] = [...rules.map(rule => (defaulted ? rule.replace(/\boptional$/, 'required') : rule)), ...ofType]
  }
  const dot = goName.lastIndexOf('.')
  const subresources = subresourcesOf(goName.slice(0, dot), goName.slice(dot + 1))
  if (subresources.length > 0) fields['/'] = subresources
  if (Object.keys(fields).length > 0) lines.push(`${JSON.stringify(short)}:${JSON.stringify(fields)}`)
}
const out = path.join(generated, 'declared/generated')
fs.mkdirSync(out, { recursive: true })
fs.writeFileSync(path.join(out, 'rules.json'), `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} types`)
