/**
 * Deletes the Pods of a terminating namespace, then its other contents, then the namespace itself
 * (https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/).
 */
import type { Pod } from '../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import * as refs from '../apimachinery/api/resources.js'
import type { Client } from '../registry/client.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import { timestamp } from '../util/time.js'
import { Controller } from './controller.js'
import { noRemoteContent, type RemoteContent, type RemoteRemaining } from './remote-content.js'

const finalizer = 'kubernetes'
/** How many deletions run at once in one namespace. */
const width = 16
const againMs = 1000

/** What still keeps a namespace from being deleted. */
interface Progress {
  readonly remaining: readonly RemoteRemaining[]
  /** Group versions of extension API servers whose resources are unknown. */
  readonly unknown: readonly string[]
  readonly errors: readonly string[]
}

export function namespaceController(
  services: Services,
  client: Client,
  log: Logger,
  remote: RemoteContent = noRemoteContent
): Controller {
  const namespaces = services.registry.of(refs.namespaces)
  return new Controller({
    name: 'namespace',
    watches: [{ resource: namespaces, keyOf: key => key }],
    clock: services.clock,
    queues: services.queues,
    log,
    async reconcile(name, signal) {
      const found = namespaces.get('', name)
      if (!found) return
      const namespace = namespaces.parse(found)
      if (!namespace.metadata.deletionTimestamp || !namespace.spec.finalizers?.includes(finalizer)) return
      const pods = services.registry.of(refs.pods)
      const left = await empty(pods, name, client)
      if (left) {
        const errors = isLate(pods, namespace, services.clock.now())
          ? [`unexpected items still remain in namespace: ${name} for gvr: /v1, Resource=pods`]
          : []
        await report(namespaces, name, { remaining: [], unknown: [], errors }, services.clock.now(), client)
        return againMs
      }
      const unknown = remote.unknown()
      const elsewhere = await remote.empty(name)
      const remaining: RemoteRemaining[] = [...elsewhere.remaining]
      for (const resource of services.registry.all()) {
        if (!resource.namespaced || !resource.verbs.has('deletecollection')) continue
        if (signal.aborted) return
        const left = await empty(resource, name, client)
        if (left) remaining.push(left)
      }
      const { errors } = elsewhere
      await report(namespaces, name, { remaining, unknown, errors }, services.clock.now(), client)
      // the other servers may be away for long
      if (unknown.length > 0 || errors.length > 0) throw new Error([...unknown.map(staleDiscovery), ...errors].join(', '))
      if (remaining.length > 0) return againMs
      await client.update(
        namespaces,
        '',
        name,
        object => {
          object.spec.finalizers = object.spec.finalizers?.filter(f => f !== finalizer)
        },
        'finalize'
      )
      return undefined
    }
  })
}

/**
 * Pods go first, so that what they use is there until they end. Returns whether they should be gone: they have no finalizers, and the time that the
 * slowest of them has to end is over.
 */
function isLate(pods: Resource, { metadata }: KubeObject, now: number): boolean {
  const left = [...pods.cache.range(`${metadata.name}/`)].map(object => pods.parse(object) as Pod)
  if (left.some(pod => pod.metadata.finalizers?.length)) return false
  const running = left.filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
  const grace = Math.max(0, ...running.map(pod => pod.spec.terminationGracePeriodSeconds ?? 0))
  return now - Date.parse(metadata.deletionTimestamp!) >= grace * 1000
}

/** Deletes a resource's objects in a namespace. Returns the objects that remain. */
async function empty(resource: Resource, namespace: string, client: Client): Promise<RemoteRemaining | undefined> {
  await resource.cache.load()
  const objects = [...resource.cache.range(`${namespace}/`)].values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const object of objects) await client.delete(resource, namespace, object.name, { propagationPolicy: 'Background' })
    })
  )
  const finalizers = new Map<string, number>()
  let left = 0
  for (const object of resource.cache.range(`${namespace}/`)) {
    left++
    for (const f of resource.parse(object).metadata.finalizers ?? []) finalizers.set(f, (finalizers.get(f) ?? 0) + 1)
  }
  return left > 0 ? { group: resource.group, resource: resource.resource, objects: left, finalizers } : undefined
}

/** Writes the progress of the deletion into the namespace's conditions. */
async function report(namespaces: Resource, name: string, progress: Progress, now: number, client: Client): Promise<void> {
  const conditions = conditionsFor(progress)
  const present = namespaces.parse(namespaces.get('', name)!).status.conditions ?? []
  const same = conditions.every(c =>
    present.some((p: any) => p.type === c.type && p.status === c.status && p.message === c.message)
  )
  if (same) return
  await client.update(
    namespaces,
    '',
    name,
    object => {
      const kept = (object.status.conditions ?? []) as any[]
      for (const c of conditions) {
        const before = kept.findIndex(p => p.type === c.type)
        const lastTransitionTime =
          before >= 0 && kept[before].status === c.status ? kept[before].lastTransitionTime : timestamp(now)
        kept.splice(before >= 0 ? before : kept.length, 1, { ...c, lastTransitionTime })
      }
      object.status.conditions = kept
    },
    'status'
  )
}

interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

const staleDiscovery = (groupVersion: string) => `${groupVersion}: stale GroupVersion discovery: ${groupVersion}`

function conditionsFor({ remaining, unknown, errors }: Progress): Condition[] {
  const qualified = (r: RemoteRemaining) => (r.group === '' ? `${r.resource}.` : `${r.resource}.${r.group}`)
  const content = remaining.map(r => `${qualified(r)} has ${r.objects} resource instances`).sort()
  const counts = new Map<string, number>()
  for (const r of remaining) for (const [f, n] of r.finalizers) counts.set(f, (counts.get(f) ?? 0) + n)
  const finalizers = [...counts].map(([f, n]) => `${f} in ${n} resource instances`).sort()
  const condition = (type: string, bad: boolean, reason: string, message: string): Condition => ({
    type,
    status: bad ? 'True' : 'False',
    reason,
    message
  })
  return [
    unknown.length > 0
      ? condition(
          'NamespaceDeletionDiscoveryFailure',
          true,
          'DiscoveryFailed',
          `Discovery failed for some groups, ${unknown.length} failing: unable to retrieve the complete list of server APIs: ${unknown.map(staleDiscovery).join(', ')}`
        )
      : condition('NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed'
    ),
    errors.length > 0
      ? condition(
          'NamespaceDeletionContentFailure',
          true,
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${errors.length} remaining: ${errors.join(', ')}`
        )
      : condition(
          'NamespaceDeletionContentFailure',
          false,
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization'
        ),
    content.length > 0
      ? condition('NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${content.join(', ')}`)
      : condition('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed'),
    finalizers.length > 0
      ? condition(
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`
        )
      : condition('NamespaceFinalizersRemaining', false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
  ]
}
