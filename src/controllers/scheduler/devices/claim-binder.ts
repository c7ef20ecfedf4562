/** Reserves what claims get, and for which Pod, before the Pod is bound. */
import type { ContainerExtendedResourceRequest, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { AllocationResult, ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import type { SeriesRecorder } from '../../../client/events/series-recorder.js'
import type { Informer, KubeClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import type { Randomness } from '../../../util/randomness.js'
import type { Reservation } from '../plugin.js'
import type { PodWriter } from '../pod-writer.js'
import { hasBindingConditions } from './binding-conditions.js'
import { type Claim, ClaimWriter } from './claim-writer.js'
import { isReservedFor } from './claims-of-pod.js'
import { untilReady } from './readiness.js'

export interface ClaimBinderOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly claims: Informer<Claim>
  readonly randomness: Randomness
  readonly events: SeriesRecorder
  readonly pods: PodWriter
}

export interface PlannedClaim {
  readonly claim: ResourceClaim
  /** What it gets; undefined where it has its devices already. */
  readonly allocation: AllocationResult | undefined
  /** Set for a claim that has to be made first, for extended resources of the Pod: what its requests stand for. */
  readonly mappings?: readonly ContainerExtendedResourceRequest[] | undefined
}

export class ClaimBinder {
  readonly #options: ClaimBinderOptions
  readonly #writer: ClaimWriter
  /** What claims are about to get, by uid. */
  readonly #pending = new Map<string, AllocationResult>()

  constructor(options: ClaimBinderOptions) {
    this.#options = options
    this.#writer = new ClaimWriter(options)
  }

  isPending({ metadata }: ResourceClaim): boolean {
    return this.#pending.has(metadata.uid!)
  }

  pending(): ReadonlyMap<string, AllocationResult> {
    return this.#pending
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
    const made: Claim[] = []
    const settle = () => {
      for (const { metadata } of [...planned.map(({ claim }) => claim), ...made]) this.#pending.delete(metadata.uid!)
    }
    const bind = async ({ claim, allocation, mappings }: PlannedClaim): Promise<Claim> => {
      if (!mappings) {
        if (isReservedFor(claim, pod)) return claim as Claim
        const reserved = await this.#writer.reserve(claim as Claim, allocation, pod)
        written.push(reserved)
        return reserved
      }
      const created = await this.#writer.make(claim)
      made.push(created)
      // under one uid at a time, so that it counts once
      this.#pending.delete(claim.metadata.uid!)
      this.#pending.set(created.metadata.uid!, allocation!)
      const reserved = await this.#writer.reserve(created, allocation, pod)
      const extendedResourceClaimStatus = { requestMappings: [...mappings], resourceClaimName: created.metadata.name! }
      await this.#options.pods.write(pod, { extendedResourceClaimStatus })
      return reserved
    }
    return {
      plugin: 'DynamicResources',
      release: () => {
        settle()
        for (const claim of written) void this.#writer.giveBack(claim, pod)
        // where it cannot be deleted, it is when the Pod is tried again
        for (const claim of made) void this.remove(claim).catch(() => {})
      },
      carryOut: async signal => {
        const bound: Claim[] = []
        for (const one of planned) bound.push(await bind(one))
        for (const claim of bound) this.#options.claims.learn(claim)
        settle()
        await this.#untilReady(pod, node, bound, signal)
      }
    }
  }

  /** Takes the devices of a claim away that no other Pod uses, so that it gets others. */
  async deallocate(claim: ResourceClaim, pod: Pod): Promise<void> {
    const written = await this.#writer.deallocate(claim as Claim, pod)
    if (written) this.#options.claims.learn(written)
  }

  /** Deletes a claim that was made for extended resources, whatever it has. */
  remove(claim: ResourceClaim): Promise<void> {
    return this.#writer.remove(claim as Claim)
  }

  async #untilReady(pod: Pod, node: string, bound: readonly Claim[], signal: AbortSignal): Promise<void> {
    const { claims, clock, events } = this.#options
    const allocated = bound.map(claim => claims.get(claim) ?? claim)
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
}
