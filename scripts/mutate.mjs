/**
 * Mutation testing: changes one comparison, condition or constant at a time in a built module, runs the tests that import it, and lists
 * the changes that no test notices.
 *
 *     node scripts/mutate.mjs authorization/abac authorization/union [--jobs 2] [--tests 8] [--sample 0.2] [--seconds 600]
 *
 * Arguments are parts of paths in src/. The tests of a module are the nearest that import it, without those in e2e/ unless nothing else imports
 * it. Each runs once unchanged, which tells how long it takes and which places it reaches; a change is tried with the nearest tests that reach it
 * (`--tests` at most), the fastest first. Nothing is written: a hook hands the changed text to Node. Build first (npm run build).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAst } from 'rollup/parseAst'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    tests: { type: 'string', default: '8' },
    sample: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '86400' }
  }
})
const root = fileURLToPath(new URL('../build', import.meta.url))
const modules = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map(name => name.split(sep).join('/'))
  .filter(name => name.endsWith('.js'))
const isTest = name => name.endsWith('.test.js')
const text = name => readFileSync(join(root, name), 'utf8')

/** Importers by module. */
const importers = new Map()
for (const name of modules)
  for (const [, specifier] of text(name).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const imported = normalize(join(dirname(name), specifier))
      .split(sep)
      .join('/')
    importers.set(imported, [...(importers.get(imported) ?? []), name])
  }

/** The tests that import a module, the nearest first; those of the same folder before others at the same distance. */
function testsOf(name) {
  const seen = new Set([name])
  const found = []
  for (let level = [name]; level.length > 0; ) {
    const next = level.flatMap(module => importers.get(module) ?? []).filter(module => !seen.has(module) && seen.add(module))
    const near = test => (dirname(test) === dirname(name) ? 0 : 1)
    found.push(...next.filter(isTest).sort((a, b) => near(a) - near(b)))
    level = next.filter(module => !isTest(module))
  }
  const inProcess = found.filter(test => !test.startsWith('e2e/'))
  return (inProcess.length > 0 ? inProcess : found).slice(0, maxMeasured)
}

/** The tests of a module that are looked at: of those with a wide reach, more would take long and find little. */
const maxMeasured = 24

const operators = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&']
])

/** The changes to a text: { start, end, replacement }. */
function mutantsOf(source) {
  const found = []
  const change = ({ start, end }, replacement) => found.push({ start, end, replacement })
  const condition = node => {
    change(node, 'true')
    change(node, 'false')
  }
  /** The operator stands between its operands, behind white space or parentheses. */
  const changeOperator = ({ left, right, operator }, other) => {
    const start = source.indexOf(operator, left.end)
    if (start < right.start) change({ start, end: start + operator.length }, other)
  }
  const visit = (node, parent) => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, parent)
      return
    }
    if (typeof node?.type !== 'string' || node.type === 'ImportDeclaration') return
    if (operators.has(node.operator) && node.left) changeOperator(node, operators.get(node.operator))
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') condition(node.test)
    if (node.type === 'UnaryExpression' && node.operator === '!')
      change(node, source.slice(node.argument.start, node.argument.end))
    if (node.type === 'Literal') {
      if (typeof node.value === 'number') change(node, `(${node.raw} + 1)`)
      if (typeof node.value === 'boolean') change(node, String(!node.value))
      if (typeof node.value === 'string' && decides(node, parent)) change(node, `${node.raw.slice(0, -1)}~${node.raw.at(-1)}`)
    }
    for (const key in node) if (key !== 'type' && typeof node[key] === 'object') visit(node[key], node)
  }
  visit(parseAst(source).body, undefined)
  return found
}

/** Whether a text decides something, rather than being shown. */
const decides = (node, parent) =>
  parent?.type === 'SwitchCase'
    ? parent.test === node
    : parent?.type === 'ArrayExpression' || /^[=!]==$/.test(parent?.operator ?? '')

const hook = code =>
  `data:text/javascript,${encodeURIComponent(
    `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(code)}))`
  )}`

/** Runs a test in a process of its own; resolves with whether it fails. A test that does not end fails. */
function fails(test, { args = [], env = process.env, limit = 60_000 }) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [...args, join(root, test)], { stdio: 'ignore', env })
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    child.on('exit', code => {
      clearTimeout(timer)
      resolve(code !== 0)
    })
  })
}

const changedBy = (name, changed) => {
  const url = pathToFileURL(join(root, name)).href
  const code = `export async function load(url, context, next) {
    if (url !== ${JSON.stringify(url)}) return next(url, context)
    return { format: 'module', shortCircuit: true, source: ${JSON.stringify(changed)} }
  }`
  return ['--import', hook(code)]
}

/** What a test does unchanged: { time, functions } with V8's coverage by module; undefined for a test that fails. */
const unchanged = new Map()

async function measure(test) {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  const start = Date.now()
  const failed = await fails(test, { env: { ...process.env, NODE_V8_COVERAGE: folder } })
  const functions = new Map()
  for (const file of readdirSync(folder))
    for (const script of JSON.parse(readFileSync(join(folder, file), 'utf8')).result)
      functions.set(script.url, [...(functions.get(script.url) ?? []), ...script.functions])
  rmSync(folder, { recursive: true })
  if (failed) console.log(`${test} fails unchanged and is left out`)
  return failed ? undefined : { time: Date.now() - start, functions }
}

/** Whether a test executed the code at a position: the smallest of the ranges around it counts. */
function reaches(test, name, position) {
  let best
  for (const { ranges } of unchanged.get(test)?.functions.get(pathToFileURL(join(root, name)).href) ?? [])
    for (const range of ranges) {
      const size = range.endOffset - range.startOffset
      const around = range.startOffset <= position && position < range.endOffset
      if (around && (!best || size <= best.endOffset - best.startOffset)) best = range
    }
  return best !== undefined && best.count > 0
}

const queue = modules
  .filter(name => !isTest(name) && positionals.some(part => name.includes(part)))
  .flatMap(name => {
    const source = text(name)
    return mutantsOf(source).map(mutant => ({ name, source, ...mutant }))
  })
  .filter(() => Math.random() < Number(values.sample))
const testsByModule = new Map(queue.map(({ name }) => [name, testsOf(name)]))
const toMeasure = [...new Set([...testsByModule.values()].flat())]
const end = Date.now() + Number(values.seconds) * 1000
/** Counts by module. */
const counts = new Map(queue.map(({ name }) => [name, { killed: 0, survived: 0, 'not reached': 0, 'not tried': 0 }]))

async function inParallel(items, work) {
  const next = async () => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, next))
}

async function tryMutant({ name, source, start, end: stop, replacement }) {
  const count = counts.get(name)
  if (Date.now() > end) {
    count['not tried']++
    return
  }
  const changed = source.slice(0, start) + replacement + source.slice(stop)
  const tests = testsByModule
    .get(name)
    .filter(test => reaches(test, name, start))
    .slice(0, Number(values.tests))
  tests.sort((a, b) => unchanged.get(a).time - unchanged.get(b).time)
  let noticed = false
  for (const test of tests)
    noticed ||= await fails(test, { args: changedBy(name, changed), limit: 5000 + 5 * unchanged.get(test).time })
  const result = noticed ? 'killed' : tests.length === 0 ? 'not reached' : 'survived'
  count[result]++
  if (noticed) return
  const line = source.slice(0, start).split('\n').length
  const shown = source.split('\n')[line - 1].trim()
  console.log(`${name}:${line}: ${result}: ${source.slice(start, stop)} → ${replacement}   in   ${shown.slice(0, 140)}`)
}

await inParallel([...toMeasure], async test => unchanged.set(test, await measure(test)))
await inParallel(queue, tryMutant)
const describe = count =>
  Object.entries(count)
    .map(([result, number]) => `${number} ${result}`)
    .join(', ')
const total = { killed: 0, survived: 0, 'not reached': 0, 'not tried': 0 }
for (const [name, count] of counts) {
  console.log(`${name}: ${describe(count)}`)
  for (const result in total) total[result] += count[result]
}
const alive = total.survived + total['not reached']
console.log(`${describe(total)}: ${((100 * alive) / (total.killed + alive)).toFixed(1)} % unnoticed`)
