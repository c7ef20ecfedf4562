/**
 * Makes the ResourceClaims that Pods ask for by templates, and frees those that no Pod uses any more:
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
import type { Pod, PodResourceClaim } from '../../apimachinery/api/generated/core-v1.js'
import type { ResourceClaim, ResourceClaimTemplate } from '../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { controllerOf, keyOf, namedBy, unlessGone } from '../workloads/owners.js'
import { messageOf } from '../workloads/pod-control.js'
import { hasEnded } from '../workloads/pods.js'

type Claim = ResourceClaim & KubeObject

/** Names the entry of the Pod for which a claim was made. */
const claimAnnotation = 'resource.kubernetes.io/pod-claim-name'
/** Keeps a claim as long as it is allocated. */
const finalizer = 'resource.kubernetes.io/delete-protection'
/** How many Pods may share a claim. */
const mostConsumers = 256
/** What is left for the names of a Pod and of its entry in the name of a claim. */
const longestBase = 57

export function resourceClaimController(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('resource-claim-controller')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const claims: Informer<Claim> = informers.of('resource.k8s.io/v1', 'ResourceClaim')
  const templates: Informer<ResourceClaimTemplate> = informers.of('resource.k8s.io/v1', 'ResourceClaimTemplate')
  const claimClient = client.of('resource.k8s.io/v1', 'ResourceClaim')
  const events = context.recorder('resource_claim', client)
  const podsOfClaim = pods.index(pod => claimNamesOf(pod).map(name => `${pod.metadata.namespace}/${name}`))
  const podsOfTemplate = pods.index(({ metadata, spec }) =>
    (spec.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) => (name ? [`${metadata.namespace}/${name}`] : []))
  )
  const ownedBy = claims.index(claim => [controllerOf(claim)?.uid ?? ''])

  const queue = context.queue({ name: 'resource_claim', workers: 4, reconcile })
  const podChanged = (pod: Pod) => {
    const hasOwn = !!pod.spec.resourceClaims?.length
    if (hasOwn) queue.enqueue(`pod ${keyOf(pod)}`)
    // the scheduler makes claims for extended resources, and reserves them itself
    if ((hasOwn || pod.status.extendedResourceClaimStatus) && isDone(pod)) freeClaims(pod)
  }
  const claimChanged = (claim: Claim) => {
    queue.enqueue(`claim ${keyOf(claim)}`)
    for (const pod of podsOfClaim(keyOf(claim))) queue.enqueue(`pod ${keyOf(pod)}`)
  }
  pods.on('add', podChanged)
  pods.on('update', podChanged)
  pods.on('delete', freeClaims)
  templates.on('add', template => podsOfTemplate(keyOf(template)).forEach(podChanged))
  for (const event of ['add', 'update', 'delete'] as const) claims.on(event as 'add', claimChanged)
  return queue

  function freeClaims(pod: Pod): void {
    for (const name of claimNamesOf(pod)) queue.enqueue(`claim ${pod.metadata.namespace}/${name}`)
    for (const claim of ownedBy(pod.metadata.uid!)) queue.enqueue(`claim ${keyOf(claim)}`)
  }

  async function reconcile(key: string): Promise<void> {
    const [kind, name] = key.split(' ') as [string, string]
    if (kind === 'pod') {
      const pod = pods.get(namedBy(name))
      if (pod && !pod.metadata.deletionTimestamp) await keepPod(pod)
    } else {
      const claim = claims.get(namedBy(name))
      if (claim) await keepClaim(claim)
    }
  }

  async function keepPod(pod: Pod): Promise<void> {
    const made = new Map<string, string>()
    for (const entry of pod.spec.resourceClaims ?? []) {
      try {
        const name = await ensureClaim(pod, entry)
        if (name !== undefined) made.set(entry.name, name)
      } catch (error) {
        events.warning(pod, 'FailedResourceClaimCreation', `PodResourceClaim ${entry.name}: ${messageOf(error)}`)
        throw error
      }
    }
    if (made.size > 0) await writeNames(pod, made)
    if (pod.spec.nodeName) for (const name of claimNamesOf(pod)) await reserve(pod, name)
  }

  /** Returns the name of a claim that the Pod's status does not have yet. */
  async function ensureClaim(pod: Pod, entry: PodResourceClaim): Promise<string | undefined> {
    const { resourceClaimTemplateName: templateName, name } = entry
    if (templateName === undefined) return undefined
    const { namespace } = pod.metadata
    const known = pod.status.resourceClaimStatuses?.find(one => one.name === name)
    // an entry without a claim needs none
    if (known && known.resourceClaimName === undefined) return undefined
    const owned = ownedBy(pod.metadata.uid!).filter(({ metadata }) => metadata.annotations?.[claimAnnotation] === name)
    if (known && owned.some(({ metadata }) => metadata.name === known.resourceClaimName)) return undefined
    if (owned[0]) return owned[0].metadata.name
    const template = templates.get({ metadata: { name: templateName, namespace } })
    if (!template) {
      const missing = `resourceclaimtemplate.resource.k8s.io "${templateName}" not found`
      throw new Error(`resource claim template "${templateName}": ${missing}`)
    }
    const created = await claimClient.create(claimOf(pod, name, template))
    claims.learn(created)
    return created.metadata.name
  }

  async function writeNames(pod: Pod, made: ReadonlyMap<string, string>): Promise<void> {
    const names = new Map<string, string>()
    for (const { name, resourceClaimName } of pod.status.resourceClaimStatuses ?? [])
      if (resourceClaimName !== undefined) names.set(name, resourceClaimName)
    for (const [name, claim] of made) names.set(name, claim)
    const statuses = [...names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, resourceClaimName]) => ({ name, resourceClaimName }))
    const { name, namespace } = pod.metadata
    const applied = { metadata: { name, namespace }, status: { resourceClaimStatuses: statuses } } as Draft<Pod & KubeObject>
    const options = { fieldManager: 'ResourceClaimController', force: true }
    const body = { apiVersion: 'v1', kind: 'Pod', ...applied }
    pods.learn(await client.of('v1', 'Pod').subresource('status').apply(pod, body, options))
  }

  /** Reserves an allocated claim for a Pod that the scheduler has not placed. */
  async function reserve(pod: Pod, claimName: string): Promise<void> {
    const { name, uid, namespace } = pod.metadata
    const claim = claims.get({ metadata: { name: claimName, namespace } })
    const reserved = claim?.status?.reservedFor ?? []
    if (!claim?.status?.allocation || reserved.length >= mostConsumers || reserved.some(one => one.uid === uid)) return
    const reservedFor = [...reserved, { resource: 'pods', name: name!, uid: uid! }]
    await writeStatus(claim, { ...claim.status, reservedFor })
  }

  async function keepClaim(claim: Claim): Promise<void> {
    const { namespace, deletionTimestamp, finalizers = [] } = claim.metadata
    const reserved = claim.status?.reservedFor ?? []
    const checked = await Promise.all(
      reserved.map(async one => {
        if (one.apiGroup || one.resource !== 'pods') return true
        const object = { metadata: { name: one.name, namespace } }
        const pod = pods.get(object) ?? (await client.of('v1', 'Pod').find(object))
        return pod?.metadata.uid === one.uid && !isDone(pod)
      })
    )
    const left = reserved.filter((_, index) => checked[index])
    const isFree = left.length === 0
    const isOurs = finalizers.includes(finalizer)
    let present = claim
    const deallocates = isFree && isOurs && (reserved.length > 0 || !!deletionTimestamp)
    if (left.length < reserved.length || (deallocates && claim.status?.allocation)) {
      const { allocation, reservedFor: _, ...status } = claim.status ?? {}
      const kept = deallocates ? {} : { allocation }
      present = await writeStatus(claim, { ...status, ...kept, ...(isFree ? {} : { reservedFor: left }) } as Claim['status'])
    }
    if (deallocates) {
      const metadata = { ...present.metadata, finalizers: finalizers.filter(one => one !== finalizer) }
      const written = await unlessGone(() => claimClient.update({ ...present, metadata } as Draft<Claim>))
      if (written && !deletionTimestamp) claims.learn(written)
    }
    const owner = controllerOf(claim)
    if (!isFree || owner?.kind !== 'Pod' || deletionTimestamp) return
    const pod = pods.get({ metadata: { name: owner.name, namespace } })
    if (pod && (pod.metadata.uid !== owner.uid || isDone(pod))) await unlessGone(() => claimClient.delete(claim))
  }

  async function writeStatus(claim: Claim, status: Claim['status']): Promise<Claim> {
    const written = await claimClient.subresource('status').update(claim, { ...claim, status } as Draft<Claim>)
    claims.learn(written)
    return written
  }
}

/** Whether the Pod uses its claims no more: one that is deleted before it has a Node never does. */
const isDone = ({ status, metadata, spec }: Pod) => hasEnded(status.phase) || (!!metadata.deletionTimestamp && !spec.nodeName)

/** The names of the claims that the Pod uses: those that it names itself, and those that were made for it. */
function claimNamesOf({ spec, status }: Pod): string[] {
  const made = (status.resourceClaimStatuses ?? []).flatMap(one => one.resourceClaimName ?? [])
  return [...(spec.resourceClaims ?? []).flatMap(one => one.resourceClaimName ?? []), ...made]
}

function claimOf({ metadata }: Pod, entry: string, { spec }: ResourceClaimTemplate): Draft<Claim> {
  const { labels, annotations } = spec.metadata ?? {}
  return {
    metadata: {
      generateName: generatedName(metadata.name!, entry),
      namespace: metadata.namespace,
      labels,
      annotations: { ...annotations, [claimAnnotation]: entry },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid, controller: true }]
    },
    spec: spec.spec
  } as Draft<Claim>
}

/** Both names are shortened in the same proportion, where they are too long. */
function generatedName(pod: string, entry: string): string {
  const full = `${pod}-${entry}-`
  if (full.length <= longestBase) return full
  const part = (name: string) => name.slice(0, Math.trunc((name.length * longestBase) / full.length))
  return `${part(pod)}-${part(entry)}`
}
