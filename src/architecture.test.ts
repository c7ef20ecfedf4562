/** Holds ARCHITECTURE.md, the READMEs of the wings and the source to each other. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')

interface Import {
  readonly from: string
  readonly to: string
  /** It names types only, and is gone when the program runs. */
  readonly isType: boolean
}

const everything = readdirSync(src, { recursive: true, encoding: 'utf8' }).map(name => name.split(sep).join('/'))
const sources = everything.filter(
  name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^testkit\/(e2e|history)\/|(^|\/)testing\//.test(name)
)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const found: Import[] = []
  const statements = /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'(\.[^']*)'|\bimport\('(\.[^']*)'\)/gm
  for (const [, isType, specifier, lazy] of text.matchAll(statements)) {
    const to = normalize(join(dirname(file), (specifier ?? lazy)!))
      .split(sep)
      .join('/')
      .replace(/\.js$/, '.ts')
    // a lazy import waits for its module, so a circle through it is none
    found.push({ from: file, to, isType: isType !== undefined || lazy !== undefined })
  }
  return found
}

const imports = sources.flatMap(importsOf)
const wingOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined)

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

/** The wings in the order of the table in ARCHITECTURE.md. */
const wings = [...page.matchAll(/^\| \[`([\w-]+)\/`\]/gm)].map(([, name]) => name!)
const readme = (wing: string) => readFileSync(join(src, wing, 'README.md'), 'utf8')

interface Room {
  /** Folders below the wing; "." for the files of the wing itself. */
  readonly folders: readonly string[]
  readonly text: string
  /** What other wings may import: files of the wing, or all files of a folder (`*`). */
  readonly offered: readonly string[]
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!)
const roomsOf = (wing: string): Room[] =>
  [...readme(wing).matchAll(/^\| (`[^|]+`) \| (.*) \| ([^|]+) \|$/gm)].map(([, folders, text, offered]) => ({
    folders: quoted(folders!).map(folder => folder.replace(/\/$/, '')),
    text: text!,
    offered: quoted(offered!)
  }))

/** Whether the pattern names the file: `*` stands for all files of its folder. */
const offers = (pattern: string, file: string) =>
  pattern.endsWith('*') ? dirname(file) === dirname(`./${pattern}`).replace(/^\.\//, '') : file === pattern

/** The sets of files that import each other in a circle (Tarjan's strongly connected components). */
function circles(edges: readonly Import[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const to of next.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return found
}

/** Whether a path exists: from the root of the repository, from `src/`, or from the wing whose page names it. */
function exists(path: string, wing = ''): boolean {
  // what the build makes is not there before the build
  if (/^(build|dist)\//.test(path) || ['', 'src', join('src', wing)].some(folder => existsSync(join(root, folder, path))))
    return true
  const end = `/${path.replace(/\/$/, '')}`
  return everything.some(name => `/${name}`.endsWith(end) && (wing ? name.startsWith(`${wing}/`) : path.endsWith('.ts')))
}

/** What looks like a file or folder, but is a name of Kubernetes or of the package. */
const otherNames = ['binnacle/testing', 'kube-system/binnacle-controllers', 'default/kubernetes']

const namedIn = (text: string) =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|mjs|json))`|(?<=^|\s)((?:[\w-]+\/)+[\w-]+\.ts)\b/gm)]
    .map(([, one, drawn]) => (one ?? drawn)!)
    .filter(path => !otherNames.includes(path))

describe('the architecture', () => {
  it('has at most fifteen wings, each with a page', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter(entry => entry.isDirectory())
    assert.deepEqual(folders.map(({ name }) => name).sort(), [...wings].sort())
    assert.ok(wings.length <= 15, `${wings.length} wings`)
  })

  it('is drawn as the code has it', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/generate/architecture.mjs'), '--check'], {
      encoding: 'utf8'
    })
    assert.equal(status, 0, stderr)
  })

  it('names only files and folders that exist', () => {
    assert.deepEqual(
      namedIn(page).filter(path => !exists(path)),
      [],
      'ARCHITECTURE.md'
    )
    for (const wing of wings) {
      const missing = namedIn(readme(wing)).filter(path => !exists(path, wing))
      assert.deepEqual(missing, [], `src/${wing}/README.md`)
    }
  })

  it('is promised by tests that exist', () => {
    for (const name of ['SECURITY.md', 'docs/limits.md']) {
      const named = [...readFileSync(join(root, name), 'utf8').matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path]) => path!)
      assert.ok(named.length > 10, name)
      assert.deepEqual(
        named.filter(path => !existsSync(join(src, path))),
        [],
        name
      )
    }
  })

  it('has every folder of a wing in the table of its page', () => {
    for (const wing of wings) {
      const folders = readdirSync(join(src, wing), { withFileTypes: true }).filter(entry => entry.isDirectory())
      const rooms = roomsOf(wing)
        .flatMap(room => room.folders)
        .filter(folder => folder !== '.')
      assert.deepEqual(folders.map(({ name }) => name).sort(), rooms.sort(), wing)
    }
  })

  it('has imports that point down, without exception', () => {
    const upward = imports.filter(({ from, to }) => wings.indexOf(wingOf(from)!) < wings.indexOf(wingOf(to)!) && wingOf(from))
    assert.deepEqual(
      upward.map(({ from, to }) => `${from} → ${to}`),
      []
    )
  })

  it('enters a wing by what its page offers', () => {
    const offered = new Map(wings.map(wing => [wing, roomsOf(wing).flatMap(room => room.offered)]))
    const between = imports.filter(({ from, to }) => wingOf(to) && wingOf(from) !== wingOf(to))
    const inside = (file: string) => file.slice(file.indexOf('/') + 1)
    const past = between.filter(({ to }) => !offered.get(wingOf(to)!)?.some(pattern => offers(pattern, inside(to))))
    assert.deepEqual(
      [...new Set(past.map(({ from, to }) => `${from} → ${to}`))].sort(),
      [],
      'these files are not offered to other wings'
    )
    for (const [wing, patterns] of offered) {
      const unused = patterns.filter(pattern => !between.some(({ to }) => wingOf(to) === wing && offers(pattern, inside(to))))
      assert.deepEqual(unused, [], `no other wing imports these of ${wing}`)
    }
  })

  it('has no circle of imports when it runs', () => {
    assert.deepEqual(circles(imports.filter(({ isType }) => !isType)), [])
  })

  it('has no large circles of types', () => {
    assert.deepEqual(
      circles(imports).filter(circle => circle.length > 6),
      []
    )
  })
})
