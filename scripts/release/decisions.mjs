/** What no script can decide about a new release: each function returns lines of text. `build/` must be that of the present sources. */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { packageFolder, readGo } from './modules.mjs'

const root = path.join(import.meta.dirname, '../..')
const built = name => import(path.join(root, 'build', name))

/**
 * Kinds that the table of kinds lacks: those that the release serves, where its discovery is known, and those whose types the release before
 * did not have. Types are objects when they have the metadata of one.
 */
export async function kindsWithoutStrategy(modules, before, fields, discovery) {
  const { builtinKinds } = await built('kinds/index.js')
  const known = new Set(builtinKinds.flatMap(({ versions }) => versions.map(({ type }) => type)))
  const old = readGo('types', { api: packageFolder(modules, before, 'api') })
  const types = Object.entries(fields)
    .filter(
      ([name, { fields }]) =>
        !(name in old) && fields.metadata?.type === 'metav1.ObjectMeta' && '(inline) metav1.TypeMeta' in fields
    )
    .map(([name]) => /^api\/(\w+)\/(\w+)\.(\w+)$/.exec(name)?.slice(1).join('.'))
    .filter(type => type !== undefined && !known.has(type))
  return [...types, ...(discovery ? unknownResources(discovery, builtinKinds) : [])].sort()
}

function unknownResources({ api, apis }, builtinKinds) {
  const known = new Set(
    builtinKinds.flatMap(({ group, resource, versions }) => versions.map(({ name }) => `${group}/${name} ${resource}`))
  )
  return [...api.items, ...apis.items].flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map(({ resource }) => `${group}/${version} ${resource}`).filter(served => !known.has(served))
    )
  )
}

/** Packages of kube-apiserver that ask for gates. */
const asking = [
  'kubernetes/pkg/api',
  'kubernetes/pkg/apis',
  'kubernetes/pkg/controlplane',
  'kubernetes/pkg/kubeapiserver',
  'kubernetes/pkg/registry',
  'kubernetes/pkg/serviceaccount',
  'kubernetes/plugin/pkg',
  'apiserver/pkg',
  'apiextensions-apiserver/pkg',
  'kube-aggregator/pkg'
]

/** Gates that kube-apiserver asks for and this server does not, where they are new or have changed. `before` and `now` are tables of gates by name. */
export async function gatesWithoutEffect(modules, release, before, now) {
  const { honouredGates } = await built('apimachinery/features/honoured-gates.js')
  const honoured = new Set(honouredGates)
  const uses = usesOfGates(modules, release)
  const state = gate => `${gate.stage}${gate.default ? ' on' : ' off'}${gate.locked ? ' locked' : ''}`
  const gone = Object.keys(before).filter(name => !(name in now))
  const lines = gone.filter(name => honoured.has(name)).map(name => `${name}: is gone, but honoured`)
  for (const [name, gate] of Object.entries(now)) {
    const old = before[name] && state(before[name])
    if (old === state(gate)) continue
    const what = `${name}: ${old === undefined ? 'new' : `was ${old}`}, ${state(gate)}`
    if (honoured.has(name)) lines.push(`${what}; honoured: are its rules still those?`)
    else if (uses.has(name)) lines.push(`${what}; asked for in ${[...uses.get(name)].join(', ')}`)
  }
  return lines.sort()
}

/** Where gates are asked for, by their names: `pkg/registry/core/pod`. */
function usesOfGates(modules, release) {
  const uses = new Map()
  for (const name of asking) {
    const folder = packageFolder(modules, release, name)
    for (const file of fs.readdirSync(folder, { recursive: true })) {
      if (!file.endsWith('.go') || file.endsWith('_test.go') || /kube_features\.go$/.test(file)) continue
      for (const [, gate] of fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/[fF]eatures\.(\w+)/g)) {
        if (!uses.has(gate)) uses.set(gate, new Set())
        uses.get(gate).add(`${name.replace('kubernetes/', '')}/${path.dirname(file)}`)
      }
    }
  }
  return uses
}

/** Flags of the list that are not accepted. */
export async function flagsNotHonoured(list) {
  const { acceptedFlags } = await built('cli/flags/serve-flags.js')
  return [...list.matchAll(/^--(\S+) (\S+)/gm)]
    .filter(([, name]) => !Object.hasOwn(acceptedFlags, name))
    .map(([, name, type]) => `--${name} ${type}`)
}

/** Packages with flags, for a release whose kube-apiserver nobody has. */
const declaring = [
  'kubernetes/cmd/kube-apiserver/app/options',
  'kubernetes/pkg/controlplane/apiserver/options',
  'kubernetes/pkg/kubeapiserver/options',
  'apiserver/pkg/server/options',
  'component-base/logs/api/v1',
  'component-base/metrics'
]

/** Flags that appear in the source of `release` and not in that of `before`, or the other way round. */
export function changedFlags(modules, before, release) {
  const flagsOf = version =>
    new Set(
      declaring.flatMap(name => {
        const folder = packageFolder(modules, version, name)
        return fs
          .readdirSync(folder)
          .filter(file => file.endsWith('.go') && !file.endsWith('_test.go'))
          .flatMap(file => [
            ...fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/\bfs\.\w+\([^"]*?"([a-z][a-z0-9-]+)"/g)
          ])
          .map(([, flag]) => flag)
      })
    )
  const [old, now] = [flagsOf(before), flagsOf(release)]
  return [
    ...[...now].filter(flag => !old.has(flag)).map(flag => `--${flag}: new`),
    ...[...old].filter(flag => !now.has(flag)).map(flag => `--${flag}: gone`)
  ].sort()
}

/** Packages with rules, and which of their files count. */
const ruling = {
  'kubernetes/pkg/apis': /(validation|defaults|conversion)/,
  'kubernetes/pkg/api': /./,
  'kubernetes/pkg/registry': /(strategy|storage|rest)\b/,
  'kubernetes/plugin/pkg/admission': /./,
  'kubernetes/plugin/pkg/auth': /./,
  'apimachinery/pkg/api/validation': /./,
  'apimachinery/pkg/api/validate': /./,
  'apimachinery/pkg/apis/meta/v1/validation': /./,
  'apimachinery/pkg/util/validation': /./,
  'apiextensions-apiserver/pkg/apis': /(validation|defaults)/,
  'apiextensions-apiserver/pkg/registry': /./,
  'apiserver/pkg/registry/rest': /./,
  'kube-aggregator/pkg/apis': /(validation|defaults)/
}

/** Functions with rules that differ between two releases: `pkg/apis/apps/validation/validation.go: +Added ~Changed -Removed`. */
export function changedRules(modules, before, release) {
  const functionsOf = version => {
    const folders = Object.keys(ruling).map(name => [name, packageFolder(modules, version, name)])
    return readGo('functions', Object.fromEntries(folders.filter(([, folder]) => fs.existsSync(folder))))
  }
  const [old, now] = [functionsOf(before), functionsOf(release)]
  const files = new Map()
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (old[name] === now[name]) continue
    const [file, called] = name.split(' ')
    const folder = Object.keys(ruling).find(folder => file.startsWith(`${folder}/`))
    if (!ruling[folder].test(file.slice(folder.length)) || /\/(testing|fuzzer)\//.test(file)) continue
    const sign = name in old ? (name in now ? '~' : '-') : '+'
    if (!files.has(file)) files.set(file, [])
    files.get(file).push(sign + called)
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => `${file.replace('kubernetes/', '')}: ${names.sort().join(' ')}`)
}

/** Required steps of the recordings that a kube-apiserver answers otherwise: `scenario: step step`. */
export function changedAnswers(url, tokens, setup) {
  const required = JSON.parse(fs.readFileSync(path.join(root, 'test/conformance/required.json'), 'utf8'))
  const given = [`--server=${url}`, ...(tokens ? [`--tokens=${tokens}`] : []), ...(setup ? [`--setup=${setup}`] : [])]
  const { stdout, stderr, error } = spawnSync(process.execPath, [path.join(root, 'scripts/test/conformance.mjs'), ...given], {
    encoding: 'utf8',
    maxBuffer: 1 << 28
  })
  if (error || !/steps match/.test(stdout)) throw new Error(`the recordings could not be played: ${error ?? stderr}`)
  const lines = []
  let scenario
  for (const line of stdout.split('\n')) {
    scenario = /^(?:ok {2}|FAIL) ([\w-]+):/.exec(line)?.[1] ?? scenario
    const step = /^ {3}- (\S+)$/.exec(line)?.[1]
    if (step && required[scenario]?.includes(step)) lines.push(`${scenario}: ${step}`)
  }
  return lines
}

/** Tracked files that name the release before, other than by its history. */
export function placesOf(release) {
  const printed = spawnSync('git', ['grep', '-lwF', release, '--', '.', ':!CHANGELOG.md', ':!package-lock.json'], {
    cwd: root,
    encoding: 'utf8'
  })
  return printed.stdout.split('\n').filter(Boolean)
}

/** Generated files that differ from the commit, with how many lines. */
export function changedFiles() {
  const printed = execFileSync('git', ['diff', '--stat=120', '--', 'src', 'docs', 'scripts/generate/facts'], {
    cwd: root,
    encoding: 'utf8'
  })
  return printed
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
}
