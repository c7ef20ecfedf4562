/**
 * Mutation testing: changes one comparison, condition or constant at a time in a built module, runs the tests that import it, and lists
 * the changes that no test notices.
 *
 *     node scripts/mutate.mjs authorization/abac authorization/union [--jobs 2] [--tests 6] [--sample 0.2] [--seconds 600]
 *
 * Arguments are parts of paths in src/. The tests of a module are those that import it, the nearest first (`--tests` at most), without those in e2e/
 * unless nothing else imports it. Nothing is written: a hook hands the changed text to Node. Build first (npm run build).
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAst } from 'rollup/parseAst'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    tests: { type: 'string', default: '6' },
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
  return (inProcess.length > 0 ? inProcess : found).slice(0, Number(values.tests))
}

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

/** Resolves with whether the test fails with the changed module. A test that does not end fails. */
function fails(test, name, changed) {
  const url = pathToFileURL(join(root, name)).href
  const code = `export async function load(url, context, next) {
    if (url !== ${JSON.stringify(url)}) return next(url, context)
    return { format: 'module', shortCircuit: true, source: ${JSON.stringify(changed)} }
  }`
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--import', hook(code), join(root, test)], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    child.on('exit', code => {
      clearTimeout(timer)
      resolve(code !== 0)
    })
  })
}

const queue = modules
  .filter(name => !isTest(name) && positionals.some(part => name.includes(part)))
  .flatMap(name => {
    const source = text(name)
    const tests = testsOf(name)
    return mutantsOf(source).map(mutant => ({ name, source, tests, ...mutant }))
  })
  .filter(() => Math.random() < Number(values.sample))
const end = Date.now() + Number(values.seconds) * 1000
let [killed, survived] = [0, 0]

async function work() {
  for (let mutant = queue.shift(); mutant && Date.now() < end; mutant = queue.shift()) {
    const { name, source, tests, start, end: stop, replacement } = mutant
    const changed = source.slice(0, start) + replacement + source.slice(stop)
    let noticed = false
    for (const test of tests) if (!noticed) noticed = await fails(test, name, changed)
    if (noticed) killed++
    else {
      survived++
      const line = source.slice(0, start).split('\n').length
      const shown = source.split('\n')[line - 1].trim()
      console.log(`${name}:${line}: ${source.slice(start, stop)} → ${replacement}   in   ${shown.slice(0, 140)}`)
    }
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work))
const left = queue.length === 0 ? '' : `, ${queue.length} not tried`
console.log(
  `${killed + survived} changes, ${survived} survived (${((100 * survived) / (killed + survived)).toFixed(1)} %)${left}`
)
