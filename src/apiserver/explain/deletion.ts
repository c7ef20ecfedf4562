/** Why an object does not go away. */
import type { ObjectMeta, OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { fieldOwners } from '../../apimachinery/fieldmanager/field-owners.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { ObjectReader, ReadMetadata } from './reader.js'
import { qualified, type ResourceNames, resourceOfKind } from './resource-names.js'

export interface DeletionExplanation {
  readonly deleting: boolean
  readonly deletionTimestamp?: string
  /** What keeps the object, each in a sentence; empty for one that is not being deleted. */
  readonly reasons: readonly string[]
  readonly finalizers: readonly ExplainedFinalizer[]
  readonly owners: readonly ExplainedOwner[]
  /** Objects that it owns, where its deletion waits for those that block it. */
  readonly dependents: readonly Dependent[]
  /** For a Namespace: what it still contains. */
  readonly remaining?: readonly RemainingContent[]
  readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message: string }[]
  /** Resources that the asking user may not list: objects of these may be missing. */
  readonly unreadable: readonly string[]
}

interface ExplainedFinalizer {
  readonly name: string
  readonly setBy: readonly { readonly manager: string; readonly operation: string; readonly time?: string | undefined }[]
  readonly meaning?: string
}

interface ExplainedOwner {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly controller: boolean
  readonly exists: boolean | 'unknown'
}

interface Dependent {
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly blocks: boolean
  readonly deleting: boolean
  readonly finalizers: readonly string[]
}

interface RemainingContent {
  readonly resource: string
  readonly objects: number
  /** How many of them have each finalizer. */
  readonly finalizers: Readonly<Record<string, number>>
  /** The names of some of them. */
  readonly names: readonly string[]
}

type Place = { readonly of: ResourceNames; readonly namespace: string; readonly name: string }

const foreground = 'foregroundDeletion'
const meanings: ReadonlyMap<string, string> = new Map([
  [foreground, 'the garbage collector removes it when all dependents with blockOwnerDeletion are gone'],
  ['orphan', 'the garbage collector removes it when it has taken the owner out of the dependents'],
  ['kubernetes', 'the namespace controller removes it when the namespace is empty'],
  ['kubernetes.io/pvc-protection', 'removed when no Pod uses the claim'],
  ['kubernetes.io/pv-protection', 'removed when the volume is not bound'],
  ['customresourcecleanup.apiextensions.k8s.io', 'removed when the objects of the definition are gone'],
  ['service.kubernetes.io/load-balancer-cleanup', 'the cloud provider removes it when the load balancer is gone'],
  ['batch.kubernetes.io/job-tracking', 'the job controller removes it when it has counted the Pod']
])

/** At most so many dependents, and names of what a namespace contains, are listed. */
const maxListed = 100
const maxNames = 5

export async function explainDeletion(reader: ObjectReader, { of, namespace, name }: Place): Promise<DeletionExplanation> {
  const object = await reader.object(of, namespace, name)
  const all = await reader.resources()
  const { metadata } = object
  const deleting = metadata.deletionTimestamp !== undefined
  const isNamespace = of.group === '' && of.resource === 'namespaces'
  const finalizers = finalizersOf(object, isNamespace)
  const owners = await Promise.all((metadata.ownerReferences ?? []).map(owner => explainOwner(reader, all, owner, namespace)))
  const unreadable: string[] = []
  const waits = metadata.finalizers?.some(name => name === foreground || name === 'orphan') ?? false
  const dependents =
    deleting && waits ? await dependentsOf(reader, all, of.namespaced ? namespace : '', metadata.uid!, unreadable) : []
  const remaining = isNamespace && deleting ? await contentOf(reader, all, name, unreadable) : undefined
  const explained = {
    deleting,
    ...(deleting ? { deletionTimestamp: metadata.deletionTimestamp! } : {}),
    finalizers,
    owners,
    dependents,
    ...(remaining ? { remaining, conditions: conditionsOf(object) } : {}),
    unreadable
  }
  return { ...explained, reasons: reasonsOf(explained, metadata) }
}

function finalizersOf(object: KubeObject, isNamespace: boolean): ExplainedFinalizer[] {
  const { finalizers = [], managedFields } = object.metadata
  const { spec } = object as { readonly spec?: { readonly finalizers?: readonly string[] } }
  const owned = fieldOwners(managedFields, '.metadata.finalizers')
  const ofMetadata = finalizers.map(name => {
    const owners = owned.find(({ path }) => path === `.metadata.finalizers[=${JSON.stringify(name)}]`)?.owners ?? []
    return { name, setBy: owners.map(({ manager, operation, time }) => ({ manager, operation, time })) }
  })
  const ofSpec = isNamespace ? (spec?.finalizers ?? []).map(name => ({ name, setBy: [] })) : []
  return [...ofMetadata, ...ofSpec].map(finalizer => {
    const meaning = meanings.get(finalizer.name)
    return meaning === undefined ? finalizer : { ...finalizer, meaning }
  })
}

async function explainOwner(
  reader: ObjectReader,
  all: readonly ResourceNames[],
  { apiVersion, kind, name, uid, controller = false }: OwnerReference,
  namespace: string
): Promise<ExplainedOwner> {
  const of = resourceOfKind(all, apiVersion, kind)
  let exists: boolean | 'unknown' = 'unknown'
  if (of)
    try {
      exists = (await reader.object(of, of.namespaced ? namespace : '', name)).metadata.uid === uid
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      exists = error.code === 404 ? false : 'unknown'
    }
  return { apiVersion, kind, name, controller, exists }
}

/** Lists what has an object as an owner: in its namespace, or anywhere for an owner outside of namespaces. */
async function dependentsOf(
  reader: ObjectReader,
  all: readonly ResourceNames[],
  namespace: string,
  uid: string,
  unreadable: string[]
): Promise<Dependent[]> {
  const found: Dependent[] = []
  for (const of of all) {
    if (!of.verbs.includes('list') || (namespace !== '' && !of.namespaced)) continue
    const objects = await reader.list(of, namespace)
    if (!objects) unreadable.push(qualified(of))
    for (const { owners, ...object } of objects ?? []) {
      const reference = owners.find(owner => owner.uid === uid)
      if (!reference) continue
      const { namespace, name, deleting, finalizers } = object
      const blocks = reference.blockOwnerDeletion ?? false
      found.push({ resource: qualified(of), namespace, name, blocks, deleting, finalizers })
    }
  }
  // those that block come first
  return found.sort((a, b) => Number(b.blocks) - Number(a.blocks)).slice(0, maxListed)
}

async function contentOf(
  reader: ObjectReader,
  all: readonly ResourceNames[],
  namespace: string,
  unreadable: string[]
): Promise<RemainingContent[]> {
  const found: RemainingContent[] = []
  for (const of of all) {
    if (!of.namespaced || !of.verbs.includes('list') || !of.verbs.includes('delete')) continue
    const objects = await reader.list(of, namespace)
    if (!objects) unreadable.push(qualified(of))
    else if (objects.length > 0) found.push(contentOfKind(of, objects))
  }
  return found
}

function contentOfKind(of: ResourceNames, objects: readonly ReadMetadata[]): RemainingContent {
  const counts = new Map<string, number>()
  for (const { finalizers } of objects) for (const name of finalizers) counts.set(name, (counts.get(name) ?? 0) + 1)
  // those with finalizers are why it does not end
  const names = [...objects].sort((a, b) => b.finalizers.length - a.finalizers.length).map(({ name }) => name)
  return {
    resource: qualified(of),
    objects: objects.length,
    finalizers: Object.fromEntries(counts),
    names: names.slice(0, maxNames)
  }
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** The conditions of a Namespace that are true: each tells what went wrong or is left. */
const conditionsOf = (namespace: KubeObject) =>
  ((namespace as { readonly status?: { readonly conditions?: readonly Condition[] } }).status?.conditions ?? [])
    .filter(({ status }) => status === 'True')
    .map(({ type, reason = '', message = '' }) => ({ type, reason, message }))

function reasonsOf(explained: Omit<DeletionExplanation, 'reasons'>, metadata: ObjectMeta): string[] {
  if (!explained.deleting) return []
  const { finalizers, dependents, remaining = [], unreadable } = explained
  const reasons = finalizers.map(({ name, setBy, meaning }) => {
    const by = setBy.map(({ manager }) => manager).join(', ')
    return `finalizer ${name}${by === '' ? '' : `, set by ${by}`}${meaning === undefined ? ': whoever set it must remove it' : `: ${meaning}`}`
  })
  for (const { resource, name, blocks, finalizers } of dependents)
    if (blocks)
      reasons.push(`dependent ${resource}/${name} is there${finalizers.length === 0 ? '' : `, with ${finalizers.join(', ')}`}`)
  for (const { resource, objects, finalizers } of remaining) {
    const held = Object.entries(finalizers).map(([name, count]) => `${name} (${count})`)
    reasons.push(`${objects} ${resource} left${held.length === 0 ? '' : `, with finalizers: ${held.join(', ')}`}`)
  }
  if (finalizers.length === 0) {
    const seconds = metadata.deletionGracePeriodSeconds ?? 0
    if (seconds > 0) reasons.push(`it has ${seconds} s to end, or until its node says that it has ended`)
  }
  if (unreadable.length > 0) reasons.push(`what there is of ${unreadable.join(', ')} you may not list`)
  return reasons
}
