#!/usr/bin/env node
// Writes src/apimachinery/schema/generated/field-order.json: the fields of types whose Go structs declare them in another order than that of
// their Protobuf numbers, which types.json uses. Go writes JSON in the order of declaration.
//
//   node scripts/generate/field-order.mjs ~/go/pkg/mod/k8s.io 0.37.2
import fs from 'node:fs'
import path from 'node:path'

const [modules, release] = process.argv.slice(2)
if (!release) throw new Error('usage: field-order.mjs MODULES RELEASE')
const generated = path.join(import.meta.dirname, '../../src/apimachinery/schema/generated')
const types = JSON.parse(fs.readFileSync(path.join(generated, 'types.json'), 'utf8'))

const folders = {
  meta: `apimachinery@v${release}/pkg/apis/meta`,
  apiextensions: `apiextensions-apiserver@v${release}/pkg/apis/apiextensions`,
  apiregistration: `kube-aggregator@v${release}/pkg/apis/apiregistration`
}

const packages = new Map()
/** The structs of a package: their fields as [JSON name or undefined, Go type]. */
function structsOf(group, version) {
  const folder = path.join(modules, folders[group] ?? `api@v${release}/${group}`, version)
  let structs = packages.get(folder)
  if (structs) return structs
  packages.set(folder, (structs = new Map()))
  if (!fs.existsSync(folder)) return structs
  for (const file of fs.readdirSync(folder).filter(name => name.endsWith('.go') && !/_test|zz_|generated/.test(name))) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      const fields = []
      for (const line of body.split('\n')) {
        const found = /^\t(?:(\w+)\s+)?([^\s`]+)\s+`.*?json:"([^",]*)([^"]*)"/.exec(line)
        if (found) fields.push([found[3] || undefined, found[2]])
      }
      structs.set(name, fields)
    }
  }
  return structs
}

function orderOf(group, version, name) {
  const fields = structsOf(group, version).get(name)
  if (!fields) return undefined
  return fields.flatMap(([json, type]) => {
    if (json !== undefined) return json === '-' ? [] : [json]
    const [outer, inner] = type.includes('.') ? type.split('.') : [undefined, type]
    if (inner === 'TypeMeta') return ['kind', 'apiVersion']
    const known = outer === undefined ? [group, version] : outer === 'metav1' ? ['meta', 'v1'] : ['core', 'v1']
    return orderOf(...known, inner.replace('*', '')) ?? []
  })
}

const lines = []
for (const [short, { f }] of Object.entries(types)) {
  const parts = short.split('.')
  if (parts.length !== 3) continue
  const order = orderOf(...parts)?.filter(name => f[name])
  if (!order || order.length !== Object.keys(f).length) {
    if (order) console.error(`${short}: ${Object.keys(f).filter(name => !order.includes(name))}`)
    continue
  }
  if (order.join() !== Object.keys(f).join()) lines.push(`${JSON.stringify(short)}:${JSON.stringify(order)}`)
}
fs.writeFileSync(path.join(generated, 'field-order.json'), `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} types`)
