/** Binds the volumes of a Pod before the Pod itself: reserves them, writes that, and waits until they are bound. */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer, KubeClient } from '../../client/stored-types.js'
import type { Clock } from '../../util/clock.js'
import type { ClusterObjects } from './cluster-objects.js'
import type { NodeState } from './node-state.js'
import type { Reservation } from './plugin.js'
import { isBound } from './pod-claims.js'
import { isReachable } from './volume-matching.js'

/** What the volumes of a Pod become on one Node. */
export interface VolumePlan {
  readonly bindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[]
  /** Claims for which a volume is to be made. */
  readonly provisions: readonly PersistentVolumeClaim[]
}

export const selectedNode = 'volume.kubernetes.io/selected-node'
const boundByController = 'pv.kubernetes.io/bound-by-controller'
const longestMs = 600_000

export interface VolumeBinderOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly claims: Informer<PersistentVolumeClaim>
  readonly volumes: Informer<PersistentVolume>
}

/** Puts plans into effect. */
export class VolumeBinder {
  readonly #options: VolumeBinderOptions
  /** What looks again whenever a claim or volume has changed. */
  readonly #waiting = new Set<() => void>()

  constructor(options: VolumeBinderOptions) {
    this.#options = options
    const changed = () => {
      for (const look of this.#waiting) look()
    }
    for (const informer of [options.claims, options.volumes] as Informer<unknown>[]) {
      informer.on('add', changed)
      informer.on('update', changed)
      informer.on('delete', changed)
    }
  }

  reserve(pod: Pod, node: NodeState, { bindings, provisions }: VolumePlan, objects: ClusterObjects): Reservation {
    const volumes = bindings.map(({ claim, volume }) => withClaim(volume, claim))
    const claims = provisions.map(claim => withAnnotation(claim, selectedNode, node.name))
    for (const volume of volumes) objects.volumes.assume(volume)
    for (const claim of claims) objects.claims.assume(claim)
    const release = () => {
      for (const volume of volumes) objects.volumes.restore(volume)
      for (const claim of claims) objects.claims.restore(claim)
    }
    return {
      plugin: 'VolumeBinding',
      release,
      carryOut: async signal => {
        await this.#write(volumes, claims)
        const all = [...bindings.map(({ claim }) => claim), ...provisions]
        await this.#untilBound(all, pod, node, objects, signal)
      }
    }
  }

  async #write(volumes: readonly PersistentVolume[], claims: readonly PersistentVolumeClaim[]): Promise<void> {
    const { client } = this.#options
    for (const volume of volumes)
      this.#options.volumes.learn(
        await client.of('v1', 'PersistentVolume').update(volume as Draft<PersistentVolume & KubeObject>)
      )
    for (const claim of claims)
      this.#options.claims.learn(
        await client.of('v1', 'PersistentVolumeClaim').update(claim as Draft<PersistentVolumeClaim & KubeObject>)
      )
  }

  #untilBound(
    claims: readonly PersistentVolumeClaim[],
    pod: Pod,
    node: NodeState,
    objects: ClusterObjects,
    signal: AbortSignal
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        this.#waiting.delete(look)
        timer.cancel()
        signal.removeEventListener('abort', aborted)
        if (error) reject(new Error(`binding volumes: ${error.message}`))
        else resolve()
      }
      const look = () => {
        try {
          if (claims.every(claim => isSettled(claim, node, objects))) end()
        } catch (error) {
          end(error as Error)
        }
      }
      const aborted = () => end(new Error(`pod does not exist any more: pod "${pod.metadata.name}" not found`))
      const timer = this.#options.clock.setTimeout(() => end(new Error('context deadline exceeded')), longestMs)
      this.#waiting.add(look)
      signal.addEventListener('abort', aborted)
      if (signal.aborted) aborted()
      else look()
    })
  }
}

/** Whether the claim is bound to a volume that the Node reaches. Throws when it never will be. */
function isSettled({ metadata }: PersistentVolumeClaim, node: NodeState, objects: ClusterObjects): boolean {
  const { name, namespace } = metadata
  const claim = objects.claims.stored(name!, namespace)
  if (!claim) throw new Error(`failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "${namespace}/${name}"`)
  const selected = claim.metadata.annotations?.[selectedNode]
  // who makes volumes gives the choice back when there can be none
  if (!claim.spec.volumeName && selected !== node.name && metadata.annotations?.[selectedNode] === node.name)
    throw new Error(`provisioning failed for PVC "${name}"`)
  const volume = claim.spec.volumeName ? objects.volumes.stored(claim.spec.volumeName) : undefined
  if (volume && !isReachable(volume, node))
    throw new Error(`pv "${volume.metadata.name}" node affinity doesn't match node "${node.name}": no matching NodeSelectorTerms`)
  return isBound(claim) && volume !== undefined
}

const withAnnotation = <T extends KubeObject>(object: T, name: string, value: string): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [name]: value } }
})

function withClaim(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): PersistentVolume {
  const { name, namespace, uid, resourceVersion } = metadata
  const isOurs = volume.spec.claimRef?.uid === uid
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion }
  const annotated = volume.spec.claimRef ? volume : withAnnotation(volume, boundByController, 'yes')
  return isOurs ? annotated : { ...annotated, spec: { ...volume.spec, claimRef } }
}
