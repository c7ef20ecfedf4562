/** Writes claims: what they get, for which Pod, and that they have it no longer. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { AllocationResult, ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { Draft, KubeClient, ResourceClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import { timestamp } from '../../../util/time.js'
import { isAtDisposalOf } from './claims-of-pod.js'

export type Claim = ResourceClaim & KubeObject

/** Keeps a claim as long as it is allocated. */
const finalizer = 'resource.kubernetes.io/delete-protection'
const mostTries = 5

export interface ClaimWriterOptions {
  readonly client: KubeClient
  readonly clock: Clock
}

const at = ({ metadata: { name, namespace } }: Claim) => ({ metadata: { name: name!, namespace: namespace! } })

export class ClaimWriter {
  readonly #client: ResourceClient<Claim>
  readonly #clock: Clock

  constructor({ client, clock }: ClaimWriterOptions) {
    this.#client = client.of('resource.k8s.io/v1', 'ResourceClaim') as ResourceClient<Claim>
    this.#clock = clock
  }

  /** Makes a claim of one that was only planned. */
  async make(planned: ResourceClaim): Promise<Claim> {
    const { name: _, uid: __, ...metadata } = planned.metadata
    return this.#client.create({ ...planned, metadata, status: undefined } as Draft<Claim>)
  }

  /** Reserves the claim for the Pod. With an allocation, it gets that, too. */
  reserve(claim: Claim, allocation: AllocationResult | undefined, pod: Pod): Promise<Claim> {
    return this.#retried(claim, async present => {
      const { namespace, name } = present.metadata
      const failed = (what: string) => new Error(`claim ${namespace}/${name} got ${what} in the meantime`)
      if (present.metadata.deletionTimestamp) throw failed('deleted')
      if (allocation && present.status.allocation) throw failed('allocated elsewhere')
      if (!allocation && !present.status.allocation) throw failed('deallocated elsewhere')
      const { finalizers = [] } = present.metadata
      let kept = present
      if (allocation && !finalizers.includes(finalizer)) {
        const metadata = { ...present.metadata, finalizers: [...finalizers, finalizer] }
        kept = await this.#client.update({ ...present, metadata } as Draft<Claim>)
      }
      const allocationTimestamp = timestamp(this.#clock.now())
      const { reservedFor = [] } = kept.status
      const consumer = { resource: 'pods', name: pod.metadata.name!, uid: pod.metadata.uid! }
      const status = {
        ...kept.status,
        ...(allocation && { allocation: { ...allocation, allocationTimestamp } }),
        reservedFor: [...reservedFor, consumer]
      }
      return this.#writeStatus(kept, status)
    })
  }

  /** Takes the devices of a claim away that no other Pod uses. Returns undefined where one does by now. */
  deallocate(claim: Claim, pod: Pod): Promise<Claim | undefined> {
    return this.#retried(claim, async present => {
      if (!isAtDisposalOf(present, pod)) return undefined
      const { allocation: _, devices: __, reservedFor: ___, ...status } = present.status
      return this.#writeStatus(present, status)
    })
  }

  /**
   * The Pod does not come to its Node: the claim stays allocated, for whoever comes next. Where that cannot be written, the claim stays reserved
   * for the Pod, which is tried again; and the controller of claims takes it back when the Pod has gone.
   */
  async giveBack(claim: Claim, pod: Pod): Promise<void> {
    const status = { reservedFor: [{ $patch: 'delete', uid: pod.metadata.uid }] }
    const patch = { metadata: { uid: claim.metadata.uid }, status } as never
    await this.#client
      .subresource('status')
      .patch(at(claim), patch, { type: 'strategic' })
      .catch(() => {})
  }

  /** Deletes a claim although it is allocated. */
  async remove(claim: Claim): Promise<void> {
    await this.#retried(claim, present => {
      const finalizers = present.metadata.finalizers?.filter(one => one !== finalizer)
      return this.#client.update({ ...present, metadata: { ...present.metadata, finalizers } } as Draft<Claim>)
    })
    await this.#client.delete(at(claim))
  }

  #writeStatus(claim: Claim, status: Claim['status']): Promise<Claim> {
    return this.#client.subresource('status').update({ ...claim, status } as never) as Promise<Claim>
  }

  /** Makes a change, and where the claim has changed meanwhile, makes it to the newest state. */
  async #retried<T>(claim: Claim, change: (present: Claim) => Promise<T>): Promise<T> {
    for (let tries = 1, present = claim; ; tries++)
      try {
        return await change(present)
      } catch (error) {
        if (tries >= mostTries || !(error instanceof StatusError && error.code === 409)) throw error
        present = await this.#client.get(at(claim))
      }
  }
}
