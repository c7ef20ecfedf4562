/** Checks that every value of a store can be read as an object of its resource. */

import { parseStored } from '../../apimachinery/formats/cbor/stored.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { ownForm } from '../../registry/form/stored-value.js'
import { Resource } from '../../registry/resource.js'
import type { KeyValue, Store } from '../../storage/contract.js'
import { parseExact } from '../../util/exact-json.js'
import { noProgress } from '../../util/progress.js'
import { nextTurn, startSlice } from '../../util/turns.js'

export interface ValuesCheck {
  readonly objects: number
  /** How many values the server keeps for itself, such as allocations and leases of servers. */
  readonly others: number
  /** How many objects are encrypted and were therefore not read. */
  readonly encrypted: number
  readonly revision: number
  /** A line for each of the first objects that cannot be read. */
  readonly problems: readonly string[]
}

const pageSize = 500
const mostProblems = 100
const encryptedPrefix = Buffer.from('k8s:enc:')
/** What the keys begin with under which kube-apiserver and this server keep values that are no objects. */
const internal = ['ranges/', 'masterleases/', 'peerserverleases/', 'allocations/']

/** `progress` is told keys. */
export async function checkValues(store: Store, progress = noProgress): Promise<ValuesCheck> {
  const resources = builtinResources(store)
  const problems: string[] = []
  const counts = { objects: 0, others: 0, encrypted: 0 }
  const prefix = `${store.root}/`
  let sliceIsOver = startSlice()
  let revision: number | undefined
  let total: number | undefined
  for (let start: string | undefined = prefix; start !== undefined; ) {
    const page = await store.list(prefix, { limit: pageSize, start, revision })
    revision = page.revision
    total ??= page.count
    progress(total - page.count, total)
    for (const item of page.items) {
      const path = item.key.slice(prefix.length)
      if (internal.some(beginning => path.startsWith(beginning))) counts.others++
      else if (item.unreadable === undefined && item.value.subarray(0, encryptedPrefix.length).equals(encryptedPrefix))
        counts.encrypted++
      else {
        counts.objects++
        const problem = problemOf(item, path, resources)
        if (problem !== undefined && problems.length < mostProblems) problems.push(`${item.key}: ${problem}`)
      }
      if (!sliceIsOver()) continue
      await nextTurn()
      sliceIsOver = startSlice()
    }
    const last: KeyValue | undefined = page.items.at(-1)
    start = page.more && last ? `${last.key}\0` : undefined
  }
  return { ...counts, revision: revision ?? store.seenRevision, problems }
}

/** The built-in resources by what their keys begin with, below the root. Several kinds may share a path: the first one stores. */
function builtinResources(store: Store): Map<string, Resource> {
  const resources = new Map<string, Resource>()
  for (const kind of builtinKinds) {
    if (kind.virtual || kind.computed) continue
    const resource = new Resource({ kind, versions: kind.versions, store, types: loadSchema(), now: () => 0 })
    const path = resource.prefix.slice(store.root.length + 1)
    if (!resources.has(path)) resources.set(path, resource)
  }
  return resources
}

function problemOf({ value, unreadable }: KeyValue, path: string, resources: ReadonlyMap<string, Resource>): string | undefined {
  if (unreadable !== undefined) return unreadable
  const found = resourceOf(path, resources)
  try {
    const object = found ? parseExact(ownForm(found.resource, value, 0).toString()) : parseStored(value)
    const { kind, apiVersion, metadata } = object as any
    if (typeof kind !== 'string' || typeof apiVersion !== 'string') return 'it has no kind and apiVersion'
    const { name, namespace } = metadata ?? {}
    const last = path.slice(path.lastIndexOf('/') + 1)
    const expected = found ? found.key : last
    const actual = found?.resource.namespaced ? `${namespace}/${name}` : name
    return actual === expected ? undefined : `it is the object ${actual}`
  } catch (error) {
    return (error as Error).message
  }
}

/** Finds the resource whose path is a beginning of `path`: of one segment, or of two. */
function resourceOf(path: string, resources: ReadonlyMap<string, Resource>): { resource: Resource; key: string } | undefined {
  const first = path.indexOf('/') + 1
  const second = path.indexOf('/', first) + 1
  for (const end of [second, first]) {
    const resource = end > 0 ? resources.get(path.slice(0, end)) : undefined
    if (resource) return { resource, key: path.slice(end) }
  }
  return undefined
}
