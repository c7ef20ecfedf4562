/** Applies manifests in an order in which they do not depend on later ones. */
import { StatusError } from '../apimachinery/status/status.js'
import { type Manifest, type ManifestObject, type ManifestOptions, type ManifestSource, readManifests } from './manifests.js'
import { applicable, isPrinted, leftOutText } from './printed.js'
import type { KubeClient, UntypedObject } from './types.js'
import { until } from './until.js'

/**
 * Ranks of kinds: first those in which others lie or which define others, then those that admission looks up, and last those that
 * refuse others.
 */
const ranks: Readonly<Record<string, number>> = {
  Namespace: 0,
  CustomResourceDefinition: 0,
  ...Object.fromEntries(
    [
      'APIService',
      'PriorityClass',
      'RuntimeClass',
      'StorageClass',
      'IngressClass',
      'ServiceAccount',
      'LimitRange',
      'ResourceQuota',
      'ClusterRole',
      'Role',
      'Secret',
      'ConfigMap'
    ].map(kind => [kind, 1])
  ),
  ...Object.fromEntries(
    [
      'MutatingAdmissionPolicy',
      'ValidatingAdmissionPolicy',
      'MutatingAdmissionPolicyBinding',
      'ValidatingAdmissionPolicyBinding',
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration'
    ].map(kind => [kind, 3])
  )
}
const rankOf = ({ object }: Manifest): number => (Object.hasOwn(ranks, object.kind) ? ranks[object.kind]! : 2)

/**
 * The manifests of each rank. What a server has printed comes after its owners, which may raise its rank: an owner reference needs the
 * uid that the owner gets.
 */
function inOrder(manifests: readonly Manifest[]): Manifest[][] {
  const byUid = new Map(
    manifests.flatMap(each => (each.object.metadata.uid === undefined ? [] : [[each.object.metadata.uid, each]]))
  )
  const placed = new Map<Manifest, number>()
  const ordered: Manifest[][] = [[], [], [], []]
  const place = (manifest: Manifest): number => {
    const known = placed.get(manifest)
    if (known !== undefined) return known
    let rank = rankOf(manifest)
    // also ends a circle of owners
    placed.set(manifest, rank)
    // all others wait for definitions and Namespaces
    for (const uid of rank === 0 ? [] : ownerUids(manifest.object)) {
      const owner = byUid.get(uid)
      if (owner) rank = Math.max(rank, place(owner))
    }
    placed.set(manifest, rank)
    ordered[rank]!.push(manifest)
    return rank
  }
  for (const manifest of manifests) place(manifest)
  return ordered
}

function ownerUids({ metadata }: ManifestObject & { readonly metadata: { readonly ownerReferences?: unknown } }): string[] {
  const owners = Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : []
  return owners.map(owner => String((owner as { uid?: unknown } | null)?.uid))
}

const defaultTimeoutMs = 10_000
/** Milliseconds to wait for a ServiceAccount, because the controller that makes it may not run. */
const accountTimeoutMs = 1000

export async function applyManifests(
  client: KubeClient,
  source: ManifestSource,
  options: ManifestOptions
): Promise<UntypedObject[]> {
  const manifests = await readManifests(source)
  const applied = new Map<Manifest, UntypedObject>()
  const newNamespaces = await missingNamespaces(client, manifests)
  const uids = new Map<string, string>()
  for (const [rank, ofRank] of inOrder(manifests).entries()) {
    for (const manifest of ofRank) {
      const { object } = manifest
      try {
        if (isPod(object)) await accountOf(client, object, options, newNamespaces)
        const result = await applyOne(client, manifest, options, uids)
        applied.set(manifest, result)
        const { uid } = object.metadata
        if (uid !== undefined) uids.set(uid, result.metadata.uid!)
      } catch (error) {
        const placed = at(manifest.place, error)
        if (!options.onError) throw placed
        options.onError(placed)
        continue
      }
      if (object.kind === 'Namespace') newNamespaces.add(object.metadata.name)
    }
    if (rank === 0) await established(client, [...applied], options.timeout ?? defaultTimeoutMs)
  }
  return manifests.flatMap(manifest => applied.get(manifest) ?? [])
}

/** Applies an object, and then its status if a server has printed both. */
async function applyOne(
  client: KubeClient,
  { object: manifest, place }: Manifest,
  options: ManifestOptions,
  uids: ReadonlyMap<string, string>
): Promise<UntypedObject> {
  const { object, status, leftOut } = applicable(manifest, uids)
  const { apiVersion, kind, metadata } = object
  const { namespace = options.namespace } = metadata
  const { fieldManager, force = true, onWarning = warnProcess } = options
  const kindClient = client.untyped(apiVersion, kind)
  let applied = await kindClient.apply(object, { namespace, fieldManager, force })
  const missing = [...leftOut]
  if (status) {
    const body = { apiVersion, kind, metadata: { name: metadata.name }, status }
    try {
      applied = await kindClient.subresource('status').apply(metadata.name, body, { namespace, fieldManager, force })
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 404) throw error
      missing.push('status')
    }
  }
  if (missing.length > 0) onWarning(leftOutText(place, missing))
  return applied
}

/** Makes the namespaces of printed objects, which `kubectl get all -A` does not print, and returns their names. */
async function missingNamespaces(client: KubeClient, manifests: readonly Manifest[]): Promise<Set<string>> {
  const made = new Set<string>()
  const seen = new Set(manifests.flatMap(({ object }) => (object.kind === 'Namespace' ? [object.metadata.name] : [])))
  for (const { object } of manifests) {
    const { namespace } = object.metadata
    if (namespace === undefined || seen.has(namespace) || !isPrinted(object)) continue
    seen.add(namespace)
    try {
      await client.of('v1', 'Namespace').create({ metadata: { name: namespace } })
      made.add(namespace)
    } catch (error) {
      // it is there, or may not be made: then the object says so
      if (!(error instanceof StatusError)) throw error
    }
  }
  return made
}

const warnProcess = (text: string): void => process.emitWarning(text, 'BinnacleWarning')

async function established(
  client: KubeClient,
  applied: readonly (readonly [Manifest, UntypedObject])[],
  timeout: number
): Promise<void> {
  for (const [{ place }, object] of applied) {
    if (object.kind !== 'CustomResourceDefinition') continue
    try {
      await until(client, object, { condition: 'Established' }, { timeout })
    } catch (error) {
      throw at(place, error)
    }
  }
}

const isPod = ({ apiVersion, kind }: ManifestObject) => apiVersion === 'v1' && kind === 'Pod'

/** A controller makes the ServiceAccount of a new namespace, without which there can be no Pod. */
async function accountOf(
  client: KubeClient,
  pod: ManifestObject & { readonly spec?: any },
  options: ManifestOptions,
  newNamespaces: ReadonlySet<string>
): Promise<void> {
  const namespace = pod.metadata.namespace ?? options.namespace ?? 'default'
  const name = pod.spec?.serviceAccountName ?? 'default'
  if (!newNamespaces.has(namespace) || name !== 'default') return
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }
  await until(client, account, () => true, { timeout: accountTimeoutMs }).catch(() => {})
}

function at(place: string, error: unknown): Error {
  const message = `${place}: ${error instanceof Error ? error.message : error}`
  if (error instanceof StatusError) return new StatusError({ ...error.status, message }, error.headers)
  return new Error(message, { cause: error })
}
