#!/usr/bin/env node
// Compares what is served under --emulated-version with what kube-apiserver was recorded to serve: files 1.35.txt and, with all APIs on,
// 1.35-all.txt, with a resource of a group version and its subresources on each line. The core group is not recorded.
//
//   node scripts/compare/emulation.mjs ../shared/facts-1.37.2/emulation
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from '../../build/server/server.js'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: emulation.mjs FOLDER')
const user = { name: 'admin', groups: ['system:masters'] }

async function served(version, all) {
  const server = createServer({ emulatedVersion: [version], runtimeConfig: all ? { 'api/all': true } : {}, controllers: [] })
  await server.start()
  const get = async url => JSON.parse((await server.inject({ url, user })).body)
  const lines = []
  for (const { versions } of (await get('/apis')).groups) {
    for (const { groupVersion } of versions) {
      const names = (await get(`/apis/${groupVersion}`)).resources.map(({ name }) => name.split('/'))
      for (const [resource, subresource] of names) {
        if (subresource) continue
        const subresources = names.filter(([of, name]) => of === resource && name).map(([, name]) => name)
        lines.push(`${groupVersion} ${resource} ${subresources.sort().join(',')}`.trim())
      }
    }
  }
  await server.stop()
  return new Set(lines)
}

let differences = 0
for (const file of readdirSync(folder).sort()) {
  const [, version, all] = /^(\d+\.\d+)(-all)?\.txt$/.exec(file) ?? []
  if (!version) continue
  const recorded = new Set(
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
  )
  const ours = await served(version, all !== undefined)
  for (const line of recorded) if (!ours.has(line)) report(`${file} - ${line}`)
  for (const line of ours) if (!recorded.has(line)) report(`${file} + ${line}`)
}
console.log(differences === 0 ? 'no differences' : `${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

function report(line) {
  differences++
  console.log(line)
}
