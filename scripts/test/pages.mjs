// Compiles the TypeScript and JavaScript of the pages (README.md, docs/) against the built package, as strictly as users do, and tries the projects in
// other languages that the pages of the clients show (client-pages.mjs). Says which are skipped, because there is no toolchain.
//   npm run build && node scripts/test/pages.mjs
//
// A block is one program, and may leave out what readers know: names that the package exports are imported, `server` and `client` are what they are everywhere,
// other names are of any type. So what fails is a call, an option or a field that is not there. `<!-- given: DECLARATIONS -->` before a block declares more.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tryClientPages } from './client-pages.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What names are that pages use without a declaration. */
const usual = { server: "import('binnacle').BinnacleServer", client: "import('binnacle').KubeClient" }

const entries = ['binnacle', 'binnacle/client', 'binnacle/operator', 'binnacle/testing']

/** What a block may do that a program may not: declare a name twice, import a module of the reader's, leave out a body. */
const allowed = new Set(['TS2451', 'TS2300', 'TS2307', 'TS2355'])

/** The compiler's errors about a name that nothing declares. */
const unknownName = new Set(['TS2304', 'TS2552', 'TS18004'])

const blocks = pages().flatMap(page => blocksOf(page))
const place = realpathSync(mkdtempSync(join(tmpdir(), 'binnacle-pages-')))
try {
  mkdirSync(join(place, 'node_modules/@types'), { recursive: true })
  symlinkSync(root, join(place, 'node_modules/binnacle'))
  symlinkSync(join(root, 'node_modules/@types/node'), join(place, 'node_modules/@types/node'))
  const exported = exportedNames()
  write(() => '')
  const missing = compile().filter(({ code }) => unknownName.has(code))
  write(block =>
    prelude(new Set(missing.filter(error => error.block === block).map(({ text }) => /'([^']+)'/.exec(text)[1])), exported)
  )
  const wrong = compile().filter(({ code }) => !allowed.has(code))
  for (const { block, line, code, text } of wrong)
    console.log(`${relative(root, block.page)}:${block.line + line}: ${text} (${code})`)
  console.log(`pages: ${blocks.length} blocks of TypeScript, ${wrong.length} mistakes`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  rmSync(place, { recursive: true, force: true })
}
for (const { line, wrong } of tryClientPages()) {
  console.log(line)
  if (wrong) process.exitCode = 1
}

function pages() {
  // those of docs/tutorials/ are run (tutorials.mjs)
  const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
  return [join(root, 'README.md'), ...docs.map(name => join(root, 'docs', name))]
}

/** The blocks of a page, each with the line before its first. */
function blocksOf(page) {
  const markdown = readFileSync(page, 'utf8')
  return [...markdown.matchAll(/^(?:<!-- given: (.+) -->\n)?```[jt]s\n([\s\S]*?)^```/gm)].map(match => ({
    page,
    line: markdown.slice(0, match.index + match[0].indexOf('```')).split('\n').length,
    given: match[1] ?? '',
    text: match[2]
  }))
}

/** Each export of the package, and the entry from which it comes. */
function exportedNames() {
  const names = new Map()
  for (const entry of entries.toReversed()) {
    const file = join(root, 'dist', `${entry.split('/')[1] ?? 'index'}.d.ts`)
    const text = readFileSync(file, 'utf8')
    for (const [, list] of text.matchAll(/export (?:type )?\{([^}]*)\}/g))
      for (const name of list.split(','))
        names.set(
          name
            .trim()
            .replace(/^type /, '')
            .replace(/^.* as /, ''),
          entry
        )
  }
  return names
}

/** One line, so that the lines of errors stay. */
function prelude(names, exported) {
  return [...names]
    .map(name =>
      exported.has(name)
        ? `import { ${name} } from '${exported.get(name)}'`
        : `declare const ${name}: ${usual[name] ?? 'any'}; type ${name} = any`
    )
    .join('; ')
}

function write(first) {
  blocks.forEach((block, i) => {
    writeFileSync(join(place, `block-${i}.mts`), `${first(block)}; ${block.given}; export {}\n${block.text}`)
  })
}

/** Returns the errors of the compiler. */
function compile() {
  const flags = [
    '--noEmit',
    '--strict',
    '--noImplicitAny',
    'false',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--pretty',
    'false'
  ]
  const files = blocks.map((_, i) => `block-${i}.mts`)
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...files], {
    cwd: place,
    encoding: 'utf8'
  })
  return [...stdout.matchAll(/^block-(\d+)\.mts\((\d+),\d+\): error (TS\d+): (.*)$/gm)].map(([, i, line, code, text]) => ({
    block: blocks[i],
    line: line - 1,
    code,
    text
  }))
}
