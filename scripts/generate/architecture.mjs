// Writes what ARCHITECTURE.md says of the code from the code: the table of wings in the order of their imports, and the drawing of the chain.
//   node scripts/generate/architecture.mjs           writes the page
//   node scripts/generate/architecture.mjs --check   fails when the page is another one
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const src = join(root, 'src')
const read = file => readFileSync(join(src, file), 'utf8')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(name => name.split(sep).join('/'))
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^testkit\/(e2e|history)\/|(^|\/)testing\//.test(name))
const wingOf = file => (file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined)

/** Each wing with the wings that it imports. */
function imports() {
  const found = new Map()
  for (const file of files) {
    const wing = wingOf(file)
    if (!wing) continue
    if (!found.has(wing)) found.set(wing, new Set())
    for (const [, specifier] of read(file).matchAll(/(?:from|import\()\s*'(\.[^']*)'/g)) {
      const other = wingOf(
        normalize(join(dirname(file), specifier))
          .split(sep)
          .join('/')
      )
      if (other && other !== wing) found.get(wing).add(other)
    }
  }
  return found
}

/** The wings, those first that import none of the others; among equals, the one that more wings need. */
function inOrder(graph) {
  const order = []
  const users = wing => [...graph.values()].filter(others => others.has(wing)).length
  while (order.length < graph.size) {
    const ready = [...graph].filter(
      ([wing, others]) => !order.includes(wing) && [...others].every(other => order.includes(other))
    )
    if (ready.length === 0)
      throw new Error(`these wings import each other: ${[...graph.keys()].filter(wing => !order.includes(wing)).join(', ')}`)
    const [next] = ready.map(([wing]) => wing).sort((a, b) => users(b) - users(a) || (a < b ? -1 : 1))
    order.push(next)
  }
  return order
}

function wings() {
  const row = wing => {
    const [, purpose] = /^# .*\n\n([^\n]+)/.exec(read(`${wing}/README.md`))
    return `| [\`${wing}/\`](src/${wing}/README.md) | ${purpose} |`
  }
  return ['| wing | what it is for |', '| --- | --- |', ...inOrder(imports()).map(row)].join('\n')
}

/** The names of stages that the chain calls otherwise; the others are called as they are named. */
const named = { refusals: 'audit of refusals', stage: 'audit', answers: 'audited answers', peers: 'mixed version proxy' }
const nameOf = ident => named[ident] ?? ident.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

/** The stages of the chain in their order, with the reason that each gives for itself. */
function chain() {
  const reasons = text => [...text.matchAll(/name: '([^']+)',\s*why: '([^']+)'/g)].map(([, name, why]) => ({ name, why }))
  const known = files.flatMap(file => reasons(read(file)))
  const code = read('apiserver/chain/stages.ts')
  const body = code.slice(code.indexOf('export function handlerChain'))
  const list = body.slice(body.indexOf('return ['), body.indexOf('\n  ]'))
  const drawn = []
  for (const line of list.split('\n').slice(1)) {
    // a stage that is not always there: ...(condition ? [stages] : [])
    const stages = /\? \[(.*)\] :/.exec(line)?.[1] ?? line.trim().replace(/,$/, '')
    for (const stage of stages.startsWith('{') ? [stages] : stages.split(/, (?=[a-z])(?![^(]*\))/)) {
      if (stage.startsWith('end(')) continue
      const [, ident] = /^(?:audit\.|parts\.|\{ name: ')?(\w+?)(?:Stage)?(?:[,('\s]|$)/.exec(stage)
      const found = [...reasons(stage), ...known].find(({ name }) => name === nameOf(ident))
      if (!found) throw new Error(`the chain has a stage "${nameOf(ident)}", which gives no name and reason in src/`)
      drawn.push(found)
    }
  }
  const width = Math.max(...drawn.map(({ name }) => name.length)) + 2
  return ['```', ...drawn.map(({ name, why }) => `${name.padEnd(width)}${why}`), '```'].join('\n')
}

const made = { wings: wings(), chain: chain() }
const file = join(root, 'ARCHITECTURE.md')
const page = readFileSync(file, 'utf8')
const written = page.replace(
  /(<!-- (wings|chain): made by [^>]*-->\n)[\s\S]*?(\n<!-- end -->)/g,
  (_, begin, what, end) => `${begin}${made[what]}${end}`
)
if (process.argv.includes('--check')) {
  if (written !== page) {
    process.stderr.write('ARCHITECTURE.md differs from the code: run node scripts/generate/architecture.mjs\n')
    process.exitCode = 1
  }
} else writeFileSync(file, written)
