/** Removes the finalizer by which a Job keeps its Pods until they are counted. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import type { Draft, Informer, ResourceClient } from '../../../client/stored-types.js'
import { unlessGone } from '../owners.js'
import { isTracked, trackingFinalizer } from './job-pods.js'

export class PodTracking {
  readonly #pods: ResourceClient<Pod & KubeObject>
  readonly #informer: Informer<Pod>
  /** The uids of Pods whose finalizer is gone, which the informer has not seen yet. */
  readonly #released = new Set<string>()

  constructor(pods: ResourceClient<Pod & KubeObject>, informer: Informer<Pod>) {
    this.#pods = pods
    this.#informer = informer
    informer.on('update', pod => !isTracked(pod) && this.#released.delete(pod.metadata.uid!))
    informer.on('delete', ({ metadata }) => this.#released.delete(metadata.uid!))
  }

  isReleased = ({ metadata }: Pod): boolean => this.#released.has(metadata.uid!)

  async release(pod: Pod): Promise<void> {
    if (!isTracked(pod) || this.isReleased(pod)) return
    const uid = pod.metadata.uid!
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } } as Draft<Pod>
    this.#released.add(uid)
    try {
      const present = await unlessGone(() => this.#pods.patch(pod, patch, { type: 'strategic' }))
      // an object that has lost its last finalizer may be gone: the watch says so
      if (present && !present.metadata.deletionTimestamp) this.#informer.learn(present)
    } catch (error) {
      this.#released.delete(uid)
      throw error
    }
    if (this.#informer.get(pod)?.metadata.uid !== uid) this.#released.delete(uid)
  }
}
