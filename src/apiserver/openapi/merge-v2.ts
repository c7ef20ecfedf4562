/**
 * Merges the OpenAPI v2 documents of other servers into that of this one. A definition that has the name of another but not its content
 * gets a new name; kinds that several groups share, such as DeleteOptions, get the group versions of all.
 */

import { unescapedJson } from '../../util/exact-json.js'
import type { OpenApiV2Part } from '../endpoints/backend.js'

type Json = Record<string, unknown>

const gvkKey = 'x-kubernetes-group-version-kind'
const refPrefixes = { definitions: '#/definitions/', parameters: '#/parameters/' } as const
type Section = keyof typeof refPrefixes

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the part of `document` whose paths begin with `prefix`, with all that those refer to, under names that mean nothing else in
 * `parts`.
 */
export function remoteV2Part(document: unknown, prefix: string, parts: readonly OpenApiV2Part[]): OpenApiV2Part {
  const given = isObject(document) ? document : {}
  const section = (name: string): Json => (isObject(given[name]) ? given[name] : {})
  const paths = Object.entries(section('paths')).filter(([path]) => path.startsWith(prefix))
  const all = { definitions: section('definitions'), parameters: section('parameters') }
  const used = reachable(
    paths.map(([, item]) => item),
    all
  )
  const names = { definitions: new Map<string, string>(), parameters: new Map<string, string>() }
  const taken = (kind: Section, name: string) => parts.findLast(part => part[kind].has(name))?.[kind].get(name)
  const merged = new Map<string, unknown>()
  for (const kind of ['definitions', 'parameters'] as const)
    for (const name of used[kind]) {
      const own = all[kind][name]
      for (let i = 1; ; i++) {
        const candidate = i === 1 ? name : `${name}_v${i}`
        const present = taken(kind, candidate)
        if (i > 1 && present === undefined && used[kind].has(candidate)) continue
        if (present !== undefined && !isSame(JSON.parse(present), own)) continue
        names[kind].set(name, candidate)
        if (present !== undefined) merged.set(`${kind} ${candidate}`, withKindsOf(own, JSON.parse(present)))
        break
      }
    }
  const write = (kind: Section) =>
    new Map(
      [...used[kind]].map((name): [string, string] => {
        const written = names[kind].get(name)!
        return [written, unescapedJson(renamed(merged.get(`${kind} ${written}`) ?? all[kind][name], names))]
      })
    )
  return {
    paths: new Map(paths.map(([path, item]): [string, string] => [path, unescapedJson(renamed(item, names))])),
    definitions: write('definitions'),
    parameters: write('parameters')
  }
}

/** Calls `visit` with every reference in a document. */
function eachRef(root: unknown, visit: (kind: Section, name: string) => void): void {
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const item of value) waiting.push(item)
    else if (isObject(value)) {
      const found = refOf(value.$ref)
      if (found) visit(...found)
      for (const item of Object.values(value)) waiting.push(item)
    }
  }
}

function refOf(ref: unknown): [Section, string] | undefined {
  if (typeof ref !== 'string') return undefined
  for (const kind of ['definitions', 'parameters'] as const)
    if (ref.startsWith(refPrefixes[kind])) return [kind, ref.slice(refPrefixes[kind].length)]
  return undefined
}

function reachable(roots: readonly unknown[], all: Readonly<Record<Section, Json>>): Readonly<Record<Section, Set<string>>> {
  const found = { definitions: new Set<string>(), parameters: new Set<string>() }
  const waiting = [...roots]
  while (waiting.length > 0)
    eachRef(waiting.pop(), (kind, name) => {
      if (found[kind].has(name) || !Object.hasOwn(all[kind], name)) return
      found[kind].add(name)
      waiting.push(all[kind][name])
    })
  return found
}

/** Whether two definitions mean the same, apart from the group versions that use them. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  if (!isObject(a)) return a === b
  if (!isObject(b)) return false
  const keys = (object: Json) => Object.keys(object).filter(key => key !== gvkKey)
  const ofA = keys(a)
  return ofA.length === keys(b).length && ofA.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}

function withKindsOf(own: unknown, present: unknown): unknown {
  if (!isObject(own) || !isObject(present)) return own
  const [mine, theirs] = [own[gvkKey], present[gvkKey]]
  if (!Array.isArray(mine) || !Array.isArray(theirs)) return present
  const known = new Set(theirs.map(kind => textOf(kind)))
  const added = mine.filter(kind => !known.has(textOf(kind)))
  const kinds = [...theirs, ...added].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
  return { ...present, [gvkKey]: kinds }
}

const textOf = (kind: unknown): string => {
  const { group = '', version = '', kind: name = '' } = isObject(kind) ? kind : {}
  return `${group}/${version}/${name}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]))
}

function renamed(value: unknown, names: Readonly<Record<Section, ReadonlyMap<string, string>>>): unknown {
  if (Array.isArray(value)) return value.map(item => renamed(item, names))
  if (!isObject(value)) return value
  const copy: Json = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    const ref = key === '$ref' ? refOf(item) : undefined
    if (ref) copy[key] = refPrefixes[ref[0]] + (names[ref[0]].get(ref[1]) ?? ref[1])
    // kube-apiserver reads extensions as maps, and writes those sorted
    else copy[key] = key.startsWith('x-') ? sorted(item) : renamed(item, names)
  }
  return copy
}
