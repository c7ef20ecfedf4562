/** What the scheduler writes into the status of Pods. */
import type { Pod, PodCondition, PodExtendedResourceClaimStatus } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer, ResourceClient } from '../../client/stored-types.js'
import type { Clock } from '../../util/clock.js'
import { timestamp } from '../../util/time.js'
import { podCondition } from '../workloads/pods.js'

export interface PodChange {
  readonly condition?: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'> | undefined
  /** The Node for which the Pod waits: empty for none, and as it is when left out. */
  readonly nominatedNodeName?: string | undefined
  /** The claim that was made for its extended resources. */
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined
}

export class PodWriter {
  readonly #client: ResourceClient<Pod & KubeObject>
  readonly #pods: Informer<Pod>
  readonly #clock: Clock

  constructor(client: ResourceClient<Pod & KubeObject>, pods: Informer<Pod>, clock: Clock) {
    this.#client = client
    this.#pods = pods
    this.#clock = clock
  }

  /** Writes what is different in the status of the Pod. */
  async write(pod: Pod, { condition, nominatedNodeName, extendedResourceClaimStatus }: PodChange): Promise<void> {
    const conditions = condition && this.#changed(pod, condition)
    const waitsFor = pod.status.nominatedNodeName ?? ''
    const moves = nominatedNodeName !== undefined && nominatedNodeName !== waitsFor
    if (!conditions && !moves && !extendedResourceClaimStatus) return
    const status = {
      ...(conditions ? { conditions: [conditions] } : {}),
      ...(moves ? { nominatedNodeName: nominatedNodeName || null } : {}),
      ...(extendedResourceClaimStatus && { extendedResourceClaimStatus })
    }
    const { name, namespace } = pod.metadata
    const patched = await this.#client
      .subresource('status')
      .patch({ metadata: { name, namespace } }, { status } as Draft<Pod>, { type: 'strategic' })
    this.#pods.learn(patched)
  }

  #changed(pod: Pod, condition: NonNullable<PodChange['condition']>): PodCondition | undefined {
    const old = podCondition(pod, condition.type)
    const isSame = old?.status === condition.status
    if (isSame && old.reason === condition.reason && old.message === condition.message) return undefined
    return {
      ...condition,
      observedGeneration: pod.metadata.generation,
      lastProbeTime: null,
      lastTransitionTime: isSame ? old.lastTransitionTime : timestamp(this.#clock.now())
    }
  }
}
