#!/usr/bin/env node
// Derives the column definitions of the built-in kinds' Tables from recorded answers of kube-apiserver and writes
//   src/kinds/generated/columns.json   by "resource" or "group/resource", one line a resource
//
//   node scripts/generate-columns.mjs ../shared/conformance/scenarios
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const dir = process.argv[2]
if (!dir) throw new Error('usage: generate-columns.mjs SCENARIOS')
const known = {}
function collect(request, body) {
  if (body?.kind !== 'Table' || !body.columnDefinitions?.length) return
  const match = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/[^/]+\/)?([a-z]+)(?:[/?]|$)/.exec(request)
  if (!match) return
  const key = match[1] ? `${match[1]}/${match[2]}` : match[2]
  if (/\$|example/.test(key)) return
  known[key] ??= body.columnDefinitions
}
for (const file of fs
  .readdirSync(dir)
  .filter(f => f.endsWith('.mjs'))
  .sort()) {
  const scenario = (await import(pathToFileURL(path.join(dir, file)))).default
  const golden = JSON.parse(fs.readFileSync(path.join(dir, file.replace(/\.mjs$/, '.golden.json')), 'utf8'))
  const watches = {}
  let n = 0
  for (const step of scenario.steps) {
    if (step.sleep) continue
    const answer = golden[step.id ?? `step-${++n}`]
    if (step.watch) watches[step.watch] = step.path
    if (!answer) continue
    if (step.path) collect(step.path, answer.body)
    for (const event of answer.events ?? []) collect(watches[step.events ?? step.closed] ?? '', event.object)
  }
}
const lines = Object.entries(known)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)
fs.writeFileSync('src/kinds/generated/columns.json', `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} resources: ${Object.keys(known).sort().join(' ')}`)
