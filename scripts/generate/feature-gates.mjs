#!/usr/bin/env node
// Derives the feature gates of a Kubernetes release from its Go modules and writes src/apimachinery/features/generated/feature-gates.json:
// a line per gate with its stage, its default, whether it is locked to it, and the gates that it needs; where a release that can be
// emulated differs, what it was in that one. The list of a running kube-apiserver's help, which has neither stable gates nor locks,
// must agree with it where it is given.
//
//   node scripts/generate/feature-gates.mjs ~/go/pkg/mod/k8s.io 1.37.2 ../shared/facts-1.37.2/feature-gates.txt
import fs from 'node:fs'
import path from 'node:path'

const [modules, release, list] = process.argv.slice(2)
if (!release) throw new Error('usage: feature-gates.mjs MODULES RELEASE [FEATURE-GATES.TXT]')
const minor = Number(release.split('.')[1])
const staging = `@v${release.replace(/^1\./, '0.')}`
const sources = [
  `kubernetes@v${release}/pkg/features/kube_features.go`,
  `apiserver${staging}/pkg/features/kube_features.go`,
  `apiextensions-apiserver${staging}/pkg/features/kube_features.go`,
  `client-go${staging}/features/known_features.go`,
  `component-base${staging}/logs/api/v1/kube_features.go`,
  `component-base${staging}/metrics/features/kube_features.go`,
  `component-base${staging}/zpages/features/kube_features.go`,
  `controller-manager${staging}/pkg/features/kube_features.go`
].map(name => fs.readFileSync(path.join(modules, name), 'utf8').replace(/^\s*\/\/.*$/gm, ''))

/** By the name of the Go constant, which hardly ever differs from the gate's. */
const nameOf = new Map()
for (const text of sources)
  for (const [, constant, name] of text.matchAll(
    /(\w+)[ \t]*(?:(?:featuregate\.)?Feature)? = (?:featuregate\.Feature\()?"(\w+)"/g
  ))
    nameOf.set(constant, name)

const stages = { Alpha: 'ALPHA', Beta: 'BETA', GA: '', Deprecated: 'DEPRECATED', PreAlpha: 'PRE-ALPHA' }
const isPast = (version, limit) => version === undefined || Number(version.split('.')[1]) <= limit
const gates = new Map()
for (const text of sources) {
  for (const [, constant, specs] of text.matchAll(/^\t+(?:\w+\.)?(\w+): *\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\},$/gm)) {
    const name = nameOf.get(constant)
    if (name === undefined || !specs.includes('PreRelease')) continue
    const all = specs.includes('{') ? [...specs.matchAll(/\{([^{}]*)\}/g)].map(([, fields]) => fields) : [specs]
    const versions = all.map(
      fields => field => new RegExp(`\\b${field}: *(?:version\\.MustParse\\()?(?:featuregate\\.)?"?([\\w.]+)`).exec(fields)?.[1]
    )
    /** What a gate is in a release; undefined before there was such a gate. */
    const at = release => {
      // a server is compatible with the version before its own
      const of = versions
        .filter(of => isPast(of('Version'), release) && isPast(of('MinCompatibilityVersion'), release - 1))
        .at(-1)
      if (of === undefined) return undefined
      const stage = stages[of('PreRelease')]
      if (stage === undefined) throw new Error(`${name}: no stage`)
      return { stage, default: of('Default') === 'true', ...(of('LockToDefault') === 'true' ? { locked: true } : {}) }
    }
    const now = at(minor)
    const before = {}
    for (let release = minor - 3; release < minor; release++) {
      const then = at(release) ?? null
      if (JSON.stringify(then) !== JSON.stringify(now)) before[release] = then
    }
    gates.set(name, { ...now, ...(Object.keys(before).length > 0 ? { before } : {}) })
  }
}
for (const name of ['AllAlpha', 'AllBeta']) gates.set(name, { stage: name.slice(3).toUpperCase(), default: false })
const dependencies = sources[0].slice(sources[0].indexOf('map[featuregate.Feature][]featuregate.Feature{'))
for (const [, constant, needs] of dependencies.matchAll(/^\t(?:\w+\.)?(\w+): \{([^{}]+)\},/gm)) {
  const names = needs.split(',').map(need => nameOf.get(/(\w+)\W*$/.exec(need)?.[1]))
  gates.get(nameOf.get(constant)).needs = names.sort()
}

for (const [, name, stage, standard] of (list ? fs.readFileSync(list, 'utf8') : '').matchAll(
  /^kube:(\w+)=true\|false \((\w+) - default=(\w+)\)/gm
)) {
  const gate = gates.get(name)
  if (gate?.stage !== stage || String(gate.default) !== standard)
    throw new Error(`${name}: ${JSON.stringify(gate)}, listed as ${stage}, ${standard}`)
}
const lines = [...gates]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, gate]) => `${JSON.stringify(name)}:${JSON.stringify(gate)}`)
fs.mkdirSync('src/apimachinery/features/generated', { recursive: true })
fs.writeFileSync('src/apimachinery/features/generated/feature-gates.json', `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} gates`)
