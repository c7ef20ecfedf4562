/** The kinds that kube-apiserver's scheme knows, served or not. */
import { readFileSync } from 'node:fs'
import { goQuote } from '../../util/go-format.js'
import { loadSchema } from './load.js'
import type { StructType } from './model.js'

let table: Map<string, ReadonlySet<string>> | undefined

export function isRegistered(apiVersion: string, kind: string): boolean {
  if (unversioned.has(kind) || (apiVersion === 'v1' && kind === 'List')) return true
  const kinds = registered().get(apiVersion)
  return kinds !== undefined && (kinds.has(kind) || inEveryVersion.has(kind))
}

/** Kinds of meta/v1 that Go registers in every version of every group. */
const inEveryVersion: ReadonlySet<string> = new Set([
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions'
])
/** Kinds of meta/v1 that are the same whichever version a document names. */
const unversioned: ReadonlySet<string> = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList'])

/** Names the Go type of a registered kind, as errors of conversions do. */
export function goTypeName(version: string, kind: string): string {
  return `${inEveryVersion.has(kind) || unversioned.has(kind) ? 'v1' : version}.${kind}`
}

/** Returns the Go package of a group's internal types in kube-apiserver, which some errors show. */
export const internalPackage = (group: string) =>
  group === '' || group === 'events.k8s.io'
    ? 'core'
    : group === 'internal.apiserver.k8s.io'
      ? 'apiserverinternal'
      : group.split('.')[0]

/** Returns the type of a built-in kind, undefined where the schema has none. */
export function typeOf(group: string, version: string, kind: string): StructType | undefined {
  const schema = loadSchema()
  const name = `${group === 'events.k8s.io' ? 'events' : internalPackage(group)}.${version}.${kind}`
  return schema.has(name) ? schema.type(name) : undefined
}

/** The place in kube-apiserver's source that its errors name for a scheme. */
const scheme = 'pkg/runtime/scheme.go:111'

/** Says that no type is registered for a kind. */
export function notRegistered(apiVersion: string, kind: string): string {
  const [group, version] = apiVersion.split('/')
  const where = version === '__internal' ? `the internal version of group ${goQuote(group!)}` : `version ${goQuote(apiVersion)}`
  return `no kind ${goQuote(kind)} is registered for ${where} in scheme ${goQuote(scheme)}`
}

/** Returns the versions of a group that have a kind: `v1`. */
export function registeredVersions(group: string, kind: string): string[] {
  return [...registered()].flatMap(([apiVersion, kinds]) => {
    const [version = '', its = ''] = apiVersion.split('/').reverse()
    return its === group && kinds.has(kind) ? [version] : []
  })
}

function registered(): ReadonlyMap<string, ReadonlySet<string>> {
  if (!table) {
    const data: Record<string, string[]> = JSON.parse(
      readFileSync(new URL('./generated/registered.json', import.meta.url), 'utf8')
    )
    table = new Map(Object.entries(data).map(([version, kinds]) => [version, new Set(kinds)]))
  }
  return table
}
