/** Writes what claims get, and for which Pod, before the Pod is bound. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { AllocationResult, ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { SeriesRecorder } from '../../../client/events/series-recorder.js'
import type { Draft, Informer, KubeClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import type { Randomness } from '../../../util/randomness.js'
import { timestamp } from '../../../util/time.js'
import type { Reservation } from '../plugin.js'
import { hasBindingConditions } from './binding-conditions.js'
import { isAtDisposalOf, isReservedFor } from './claims-of-pod.js'
import { untilReady } from './readiness.js'

type Claim = ResourceClaim & KubeObject

/** Keeps a claim as long as it is allocated. */
const finalizer = 'resource.kubernetes.io/delete-protection'
const mostTries = 5

export interface ClaimBinderOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly claims: Informer<Claim>
  readonly randomness: Randomness
  readonly events: SeriesRecorder
}

export interface PlannedClaim {
  readonly claim: ResourceClaim
  /** What it gets; undefined where it has its devices already. */
  readonly allocation: AllocationResult | undefined
}

export class ClaimBinder {
  readonly #options: ClaimBinderOptions
  /** What claims are about to get, by uid. */
  readonly #pending = new Map<string, AllocationResult>()

  constructor(options: ClaimBinderOptions) {
    this.#options = options
  }

  isPending({ metadata }: ResourceClaim): boolean {
    return this.#pending.has(metadata.uid!)
  }

  pending(): Iterable<AllocationResult> {
    return this.#pending.values()
  }

  now(): number {
    return this.#options.clock.now()
  }

  newShareId(): string {
    return this.#options.randomness.uuid()
  }

  reserve(pod: Pod, node: string, planned: readonly PlannedClaim[]): Reservation {
    for (const { claim, allocation } of planned) if (allocation) this.#pending.set(claim.metadata.uid!, allocation)
    const written: Claim[] = []
    const settle = () => {
      for (const { claim } of planned) this.#pending.delete(claim.metadata.uid!)
    }
    return {
      plugin: 'DynamicResources',
      release: () => {
        settle()
        for (const claim of written) void this.#giveBack(claim, pod)
      },
      carryOut: async signal => {
        for (const { claim, allocation } of planned)
          if (!isReservedFor(claim, pod)) written.push(await this.#write(claim as Claim, allocation, pod))
        for (const claim of written) this.#options.claims.learn(claim)
        settle()
        await this.#untilReady(pod, node, planned, signal)
      }
    }
  }

  async #untilReady(pod: Pod, node: string, planned: readonly PlannedClaim[], signal: AbortSignal): Promise<void> {
    const { claims, clock, events } = this.#options
    const allocated = planned.map(({ claim }) => (claims.get(claim as Claim) ?? claim) as Claim)
    if (!allocated.some(hasBindingConditions)) return
    events.record({
      regarding: pod as Pod & KubeObject,
      type: 'Normal',
      reason: 'BindingConditionsPending',
      action: 'Scheduling',
      note: `waiting for binding conditions for device on node ${node}`
    })
    await untilReady(allocated, { claims, clock, signal })
  }

  /** Takes the devices of a claim away that no other Pod uses, so that it gets others. */
  async deallocate(claim: ResourceClaim, pod: Pod): Promise<void> {
    const client = this.#options.client.of('resource.k8s.io/v1', 'ResourceClaim')
    const at = { metadata: { name: claim.metadata.name!, namespace: claim.metadata.namespace! } }
    for (let tries = 1, present = claim as Claim; isAtDisposalOf(present, pod); tries++)
      try {
        const { allocation: _, devices: __, reservedFor: ___, ...status } = present.status
        this.#options.claims.learn((await client.subresource('status').update({ ...present, status } as never)) as Claim)
        return
      } catch (error) {
        if (tries >= mostTries || !(error instanceof StatusError && error.code === 409)) throw error
        present = (await client.get(at)) as Claim
      }
  }

  async #write(claim: Claim, allocation: AllocationResult | undefined, pod: Pod): Promise<Claim> {
    const client = this.#options.client.of('resource.k8s.io/v1', 'ResourceClaim')
    const at = { metadata: { name: claim.metadata.name!, namespace: claim.metadata.namespace! } }
    for (let tries = 1, present = claim; ; tries++) {
      const { namespace, name } = present.metadata
      const failed = (what: string) => new Error(`claim ${namespace}/${name} got ${what} in the meantime`)
      if (present.metadata.deletionTimestamp) throw failed('deleted')
      if (allocation && present.status.allocation) throw failed('allocated elsewhere')
      if (!allocation && !present.status.allocation) throw failed('deallocated elsewhere')
      try {
        const { finalizers = [] } = present.metadata
        if (allocation && !finalizers.includes(finalizer)) {
          const metadata = { ...present.metadata, finalizers: [...finalizers, finalizer] }
          present = (await client.update({ ...present, metadata } as Draft<Claim>)) as Claim
        }
        const allocationTimestamp = timestamp(this.#options.clock.now())
        const { reservedFor = [] } = present.status
        const consumer = { resource: 'pods', name: pod.metadata.name!, uid: pod.metadata.uid! }
        const status = {
          ...present.status,
          ...(allocation && { allocation: { ...allocation, allocationTimestamp } }),
          reservedFor: [...reservedFor, consumer]
        }
        return (await client.subresource('status').update({ ...present, status } as never)) as Claim
      } catch (error) {
        if (tries >= mostTries || !(error instanceof StatusError && error.code === 409)) throw error
        present = (await client.get(at)) as Claim
      }
    }
  }

  /**
   * The Pod does not come to its Node: the claim stays allocated, for whoever comes next. Where that cannot be written, the claim stays reserved
   * for the Pod, which is tried again; and the controller of claims takes it back when the Pod has gone.
   */
  async #giveBack({ metadata }: Claim, pod: Pod): Promise<void> {
    const client = this.#options.client.of('resource.k8s.io/v1', 'ResourceClaim')
    const { name, namespace, uid } = metadata
    const status = { reservedFor: [{ $patch: 'delete', uid: pod.metadata.uid }] }
    await client
      .subresource('status')
      .patch({ metadata: { name, namespace } }, { metadata: { uid }, status } as never, { type: 'strategic' })
      .catch(() => {})
  }
}
