#!/usr/bin/env node
// Brings the generated files to a release of Kubernetes and prints what a person must decide (docs/releasing.md tells the whole way).
//
//   node scripts/release/kubernetes.mjs 1.38.0 --before=1.37.2 [--server=URL] [--help-text=FILE] [--facts=FOLDER]
//
// The Go modules of both releases are fetched by the go command. Build first (npm run build). Files whose facts are not at hand stay as they are.
//
//   --before=RELEASE     the release that the sources are of
//   --server=URL         a kube-apiserver of the new release with --feature-gates=AllAlpha=true,AllBeta=true and --runtime-config=api/all=true
//   --default-server=URL one with default flags: the recorded answers are compared with its own (and with those of --server, behind gates)
//   --emulated=URL,URL   one for each older release that can be emulated, with --emulated-version and --runtime-config=api/all=true
//   --token=TOKEN        of an administrator (admin-token)
//   --tokens=FILE        the tokens of admin and alice, for the recorded answers (test/conformance/tokens.csv)
//   --help-text=FILE     what its `kube-apiserver --help` prints: flags and gates
//   --facts=FOLDER       where the facts are kept; a temporary folder otherwise
//   --report-only        changes no file of the repository
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseOptions } from '../shared/options.mjs'
import * as decisions from './decisions.mjs'
import { gatherHelp, gatherServed, gatherTypes } from './facts.mjs'
import { fetchModules, stagingVersion } from './modules.mjs'

const root = path.join(import.meta.dirname, '../..')
process.chdir(root)
const { values: options, positionals } = parseOptions({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    server: { type: 'string' },
    'default-server': { type: 'string' },
    emulated: { type: 'string' },
    token: { type: 'string', default: 'admin-token' },
    tokens: { type: 'string' },
    'help-text': { type: 'string' },
    facts: { type: 'string' },
    'report-only': { type: 'boolean' }
  }
})
const [release] = positionals
if (!release || !options.before) throw new Error('usage: kubernetes.mjs RELEASE --before=RELEASE')
const facts = path.resolve(options.facts ?? fs.mkdtempSync(path.join(os.tmpdir(), `kubernetes-${release}-`)))
const has = name => fs.existsSync(path.join(facts, name))
const read = name => fs.readFileSync(path.join(facts, name), 'utf8')
const gatesFile = 'src/apimachinery/features/generated/feature-gates.json'
const gatesNow = () => JSON.parse(fs.readFileSync(gatesFile, 'utf8'))

const modules = fetchModules(release)
fetchModules(options.before)
console.log(`facts: ${facts}`)
console.log(`${gatherTypes(modules, release, facts)} types`)
if (options['help-text']) gatherHelp(fs.readFileSync(options['help-text'], 'utf8'), facts)
if (options.server) await gatherServed(options.server, options.token, facts)

const skipped = []
/** Runs a generator, if what it needs is there. */
function generate(name, given, needs = true) {
  if (!needs) return void skipped.push(name)
  const { status } = spawnSync(process.execPath, [`scripts/generate/${name}.mjs`, ...given], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status !== 0) throw new Error(`scripts/generate/${name}.mjs failed`)
}
/** Scripts that load the build. */
function generateAfterBuild() {
  const { status } = spawnSync('npm', ['run', '--silent', 'compile'], { stdio: 'inherit' })
  if (status !== 0)
    return void skipped.push('kind-types', 'client-types', 'options', 'flags --docs', 'because the sources no longer compile')
  for (const [name, ...given] of [['kind-types'], ['client-types'], ['options'], ['flags', '--docs']]) generate(name, given)
}

const served = has('openapi-v2-definitions-all-gates.json')
const before = gatesNow()
const kept = fs.readFileSync(gatesFile)
generate('feature-gates', [modules, release, ...(has('feature-gates.txt') ? [path.join(facts, 'feature-gates.txt')] : [])])
const now = gatesNow()
if (options['report-only']) fs.writeFileSync(gatesFile, kept)
else {
  generate('api-lifecycle', [modules, release])
  generate('gated-types', [options.emulated, facts, options.token], options.emulated !== undefined && served)
  generate('schema', [facts], served)
  generate('field-order', [modules, stagingVersion(release)], served)
  generate('declared-rules', [facts, modules, stagingVersion(release)], served)
  generate('columns', [options.server, options.token], options.server !== undefined)
  generate('flags', [path.join(facts, 'kube-apiserver-flags.txt'), release], has('kube-apiserver-flags.txt'))
}

const discovery = has('discovery/all-gates.json') ? JSON.parse(read('discovery/all-gates.json')) : undefined
print(
  'Kinds without a strategy',
  await decisions.kindsWithoutStrategy(modules, options.before, JSON.parse(read('fields.json')), discovery)
)
print('Gates that are new or have changed', await decisions.gatesWithoutEffect(modules, release, before, now))
if (has('kube-apiserver-flags.txt'))
  print('Flags that are not honoured', await decisions.flagsNotHonoured(read('kube-apiserver-flags.txt')))
print('Flags that changed in the source', decisions.changedFlags(modules, options.before, release))
print(`Rules that changed since ${options.before}`, decisions.changedRules(modules, options.before, release))
if (options['default-server'])
  print('Recorded steps that are answered otherwise', decisions.changedAnswers(options['default-server'], options.tokens))
if (options['default-server'] && options.server)
  print(
    'Recorded steps behind gates that are answered otherwise',
    decisions.changedAnswers(options.server, options.tokens, 'all-gates')
  )
print(`Files that name ${options.before}`, decisions.placesOf(options.before))
if (!options['report-only']) {
  generateAfterBuild()
  print('Generated files that changed', decisions.changedFiles())
  print('Not generated again, for want of facts', skipped)
}

function print(title, lines) {
  console.log(`\n${title}: ${lines.length}`)
  for (const line of lines) console.log(`  ${line}`)
}
