/** Holds ARCHITECTURE.md and the source to each other: the order of rooms, and the files and folders that the page names. */
import assert from 'node:assert/strict'
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

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(name => name.split(sep).join('/'))
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^e2e\/|(^|\/)testing\//.test(name))

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const found: Import[] = []
  for (const [, isType, specifier] of text.matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'(\.[^']*)'/gm)) {
    const to = normalize(join(dirname(file), specifier!))
      .split(sep)
      .join('/')
      .replace(/\.js$/, '.ts')
    found.push({ from: file, to, isType: isType !== undefined })
  }
  return found
}

const imports = sources.flatMap(importsOf)
const room = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.ts$/, ''))

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

/** The rooms of ARCHITECTURE.md's table, the lowest first. */
function roomsInOrder(): string[] {
  const table = page.slice(page.indexOf('## Rooms'), page.indexOf('\n## ', page.indexOf('## Rooms') + 1))
  return [...table.matchAll(/^\| ((?:`[\w.-]+\/?`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([\w.-]+)\/?`/g)].map(([, name]) => name!.replace(/\.ts$/, ''))
  )
}

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

const everything = readdirSync(src, { recursive: true, encoding: 'utf8' }).map(name => `/${name.split(sep).join('/')}`)

/**
 * Whether a path of the page exists: from the root of the repository, or from `src/`. A row of the table may also name what lies
 * somewhere in its room, and the text a file by its name alone.
 */
function exists(path: string, line: string): boolean {
  // what the build makes is not there before the build
  if (/^(build|dist)\//.test(path) || ['', 'src'].some(folder => existsSync(join(root, folder, path)))) return true
  const [, own] = /^\| `([\w-]+\/)`/.exec(line) ?? []
  const end = `/${path.replace(/\/$/, '')}`
  return everything.some(name => name.endsWith(end) && (own ? name.startsWith(`/${own}`) : path.endsWith('.ts')))
}

/** What looks like a file or folder, but is a name of Kubernetes or of the package. */
const otherNames = ['binnacle/testing', 'kube-system/binnacle-controllers']

describe('the architecture', () => {
  it('names only files and folders that exist', () => {
    const missing = page
      .split('\n')
      .flatMap(line =>
        [...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|mjs|json))`|(?<=^|\s)((?:[\w-]+\/)+[\w-]+\.ts)\b/g)]
          .map(([, quoted, drawn]) => (quoted ?? drawn)!)
          .filter(path => !otherNames.includes(path) && !exists(path, line))
      )
    assert.deepEqual(missing, [])
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

  it('has every room in the table of ARCHITECTURE.md', () => {
    const known = new Set(roomsInOrder())
    const rooms = new Set(sources.map(room))
    assert.deepEqual([...rooms].filter(name => !known.has(name)).sort(), [])
    assert.deepEqual([...known].filter(name => !rooms.has(name) && !['e2e', 'testing'].includes(name)).sort(), [])
  })

  it('has imports that point down, but for a few', () => {
    const order = roomsInOrder()
    const upward = imports.filter(({ from, to }) => order.indexOf(room(from)) < order.indexOf(room(to)))
    const list = upward.map(({ from, to }) => `${from} → ${to}`).join('\n')
    assert.ok(upward.length <= 10, `${upward.length} imports point up:\n${list}`)
  })

  it('has no large circles of imports, and none between rooms when it runs', () => {
    assert.deepEqual(
      circles(imports).filter(circle => circle.length > 6),
      []
    )
    const atRunTime = circles(imports.filter(({ isType }) => !isType))
    assert.deepEqual(
      atRunTime.filter(circle => new Set(circle.map(room)).size > 1),
      []
    )
  })
})
