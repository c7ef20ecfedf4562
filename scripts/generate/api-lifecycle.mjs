#!/usr/bin/env node
// Derives from the Go modules of a Kubernetes release in which releases kinds were introduced and removed, and writes
// src/apimachinery/features/generated/api-lifecycle.json: the kinds for which that lies within the releases that can be emulated.
//
//   node scripts/generate/api-lifecycle.mjs ~/go/pkg/mod/k8s.io 1.37.2
import fs from 'node:fs'
import path from 'node:path'

const [modules, release] = process.argv.slice(2)
if (!release) throw new Error('usage: api-lifecycle.mjs MODULES RELEASE')
const minor = Number(release.split('.')[1])
const oldest = minor - 3
const kinds = {}
for (const root of ['api', 'apiextensions-apiserver/pkg/apis', 'kube-aggregator/pkg/apis'].map(name =>
  name.replace(/^[^/]+/, `$&@v${release.replace(/^1\./, '0.')}`)
)) {
  for (const file of fs.readdirSync(path.join(modules, root), { recursive: true })) {
    if (!file.endsWith('zz_generated.prerelease-lifecycle.go')) continue
    const folder = path.dirname(file)
    const doc = ['doc.go', 'register.go']
      .map(name => path.join(modules, root, folder, name))
      .filter(fs.existsSync)
      .map(name => fs.readFileSync(name, 'utf8'))
      .join()
    const group = /groupName=([\w.-]*)/.exec(doc)?.[1] ?? /GroupName = "([\w.-]*)"/.exec(doc)?.[1] ?? ''
    const version = path.basename(folder)
    const text = fs.readFileSync(path.join(modules, root, file), 'utf8')
    for (const [, kind, what, in_] of text.matchAll(
      /func \(in \*(\w+)\) APILifecycle(Introduced|Removed)\(\)[^{]*\{\s*return 1, (\d+)/g
    )) {
      const since = Number(in_)
      if (kind.endsWith('List') || since <= oldest || (what === 'Removed' && since > minor)) continue
      const name = `${group === '' ? '' : `${group}/`}${version} ${kind}`
      ;(kinds[name] ??= {})[what.toLowerCase()] = since
    }
  }
}
const lines = Object.entries(kinds)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, life]) => `${JSON.stringify(name)}:${JSON.stringify(life)}`)
fs.writeFileSync('src/apimachinery/features/generated/api-lifecycle.json', `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} kinds`)
