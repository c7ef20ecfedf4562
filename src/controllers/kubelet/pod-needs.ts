/** What has to be there before the containers of a Pod start: claims for its volumes, Secrets and ConfigMaps. */
import type {
  ConfigMap,
  Container,
  KeyToPath,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Volume
} from '../../apimachinery/api/generated/core-v1.js'
import { claimNameOf, notMadeFor } from '../volumes/claims.js'
import { containersOf } from './container-states.js'

/** What keeps a Pod from starting. */
export interface Missing {
  /** Why volumes cannot be mounted: the messages of Events. */
  readonly volumes: readonly string[]
  /** Whether a volume is not attached to the Node yet, of which kubelets say nothing. */
  readonly isAttaching: boolean
  /** Why containers cannot be created, by their names. */
  readonly containers: ReadonlyMap<string, string>
}

export interface ConfigReference {
  readonly kind: 'Secret' | 'ConfigMap'
  readonly name: string
  readonly optional: boolean
  readonly keys: readonly string[]
}

/** How a Pod finds what it needs. */
export interface Found {
  config(reference: ConfigReference): Secret | ConfigMap | undefined
  claim(name: string): PersistentVolumeClaim | undefined
  isAttached(claim: PersistentVolumeClaim): boolean
}

const hasKey = (object: Secret | ConfigMap, key: string) =>
  Object.hasOwn(object.data ?? {}, key) || ('binaryData' in object && Object.hasOwn(object.binaryData ?? {}, key))

const reference = (
  kind: ConfigReference['kind'],
  name: string | undefined,
  optional: boolean | undefined,
  keys: readonly string[] = []
): ConfigReference[] => (name ? [{ kind, name, optional: optional ?? false, keys }] : [])

const keysOf = (items: readonly KeyToPath[] | undefined) => items?.map(({ key }) => key)

/** The Secrets and ConfigMaps of a volume. That of the Pod's token needs nothing: the server itself fills it. */
function volumeReferences({ name, secret, configMap, projected }: Volume): ConfigReference[] {
  if (name.startsWith('kube-api-access-')) return []
  return [
    ...reference('Secret', secret?.secretName, secret?.optional, keysOf(secret?.items)),
    ...reference('ConfigMap', configMap?.name, configMap?.optional, keysOf(configMap?.items)),
    ...(projected?.sources ?? []).flatMap(({ secret: one, configMap: map }) => [
      ...reference('Secret', one?.name, one?.optional, keysOf(one?.items)),
      ...reference('ConfigMap', map?.name, map?.optional, keysOf(map?.items))
    ])
  ]
}

function containerReferences({ env = [], envFrom = [] }: Container): ConfigReference[] {
  return [
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...reference('Secret', secretRef?.name, secretRef?.optional),
      ...reference('ConfigMap', configMapRef?.name, configMapRef?.optional)
    ]),
    ...env.flatMap(({ valueFrom }) => {
      const { secretKeyRef, configMapKeyRef } = valueFrom ?? {}
      return [
        ...reference('Secret', secretKeyRef?.name, secretKeyRef?.optional, [secretKeyRef?.key ?? '']),
        ...reference('ConfigMap', configMapKeyRef?.name, configMapKeyRef?.optional, [configMapKeyRef?.key ?? ''])
      ]
    })
  ]
}

/** All Secrets and ConfigMaps that the Pod refers to and cannot do without. */
export function configReferences(pod: Pod): ConfigReference[] {
  const all = [
    ...(pod.spec.volumes ?? []).flatMap(volumeReferences),
    ...containersOf(pod).flatMap(({ spec }) => containerReferences(spec))
  ]
  return all.filter(({ optional }) => !optional)
}

const notFound = ({ kind, name }: ConfigReference) => `${kind.toLowerCase()} "${name}" not found`

/** Undefined when nothing is missing. */
export function missingOf(pod: Pod, found: Found): Missing | undefined {
  const { namespace } = pod.metadata
  const inVolume = (one: ConfigReference): string[] => {
    const object = one.optional ? undefined : found.config(one)
    if (!object) return one.optional ? [] : [notFound(one)]
    const key = one.keys.find(name => !hasKey(object, name))
    if (key === undefined) return []
    return [
      one.kind === 'Secret'
        ? `references non-existent secret key: ${key}`
        : `configmap references non-existent config key: ${key}`
    ]
  }
  const inContainer = (one: ConfigReference): string[] => {
    const object = one.optional ? undefined : found.config(one)
    if (!object) return one.optional ? [] : [notFound(one)]
    const key = one.keys.find(name => !hasKey(object, name))
    return key === undefined ? [] : [`couldn't find key ${key} in ${one.kind} ${namespace}/${one.name}`]
  }
  const volumes: string[] = []
  const withoutClaim: { volume: string; error: string }[] = []
  let isAttaching = false
  for (const volume of pod.spec.volumes ?? []) {
    const errors = volumeReferences(volume).flatMap(inVolume)
    const text = errors.length > 1 ? `[${errors.join(', ')}]` : errors[0]
    if (text) volumes.push(`MountVolume.SetUp failed for volume "${volume.name}" : ${text}`)
    const name = claimNameOf(pod, volume)
    if (name === undefined) continue
    const claim = found.claim(name)
    const problem = claimProblem(pod, volume, name, claim)
    if (problem) withoutClaim.push({ volume: volume.name, error: `error processing PVC ${namespace}/${name}: ${problem}` })
    else isAttaching ||= !found.isAttached(claim!)
  }
  if (withoutClaim.length > 0) {
    const names = withoutClaim.map(({ volume }) => volume).join(' ')
    const errors = withoutClaim.map(({ error }) => error).join('; ')
    volumes.push(
      `Unable to attach or mount volumes: unmounted volumes=[${names}], unattached volumes=[], failed to process volumes=[${names}]: ${errors}`
    )
  }
  const containers = new Map<string, string>()
  for (const { spec } of containersOf(pod)) {
    const [error] = containerReferences(spec).flatMap(inContainer)
    if (error) containers.set(spec.name, error)
  }
  return volumes.length > 0 || isAttaching || containers.size > 0 ? { volumes, isAttaching, containers } : undefined
}

function claimProblem(pod: Pod, volume: Volume, name: string, claim: PersistentVolumeClaim | undefined): string | undefined {
  if (!claim) return `failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`
  const { deletionTimestamp, finalizers } = claim.metadata
  if (deletionTimestamp && !finalizers?.includes('kubernetes.io/pvc-protection')) return 'PVC is being deleted'
  if (claim.status.phase !== 'Bound') return 'PVC is not bound'
  if (!claim.spec.volumeName) return 'PVC has empty pvc.Spec.VolumeName'
  return volume.ephemeral && notMadeFor(pod, claim)
}
