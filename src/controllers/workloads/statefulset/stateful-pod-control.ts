/** Creates, mends and deletes the Pods of StatefulSets and their claims, with the Events that tell of it. */
import type { PersistentVolumeClaim, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { EventRecorder } from '../../../client/events/event-recorder.js'
import type { Draft, Informer, KubeClient, ResourceClient } from '../../../client/stored-types.js'
import { messageOf, type PodControl } from '../pod-control.js'
import { deletesWhenScaled, hasOtherController, isOfFormerPod, isUpToDate, withOwners } from './claim-owners.js'
import {
  claimName,
  claimsOf,
  hasIdentity,
  hasStorage,
  ordinalOf,
  type Stateful,
  withIdentity,
  withStorage
} from './stateful-pods.js'

const isPresent = (error: unknown) => error instanceof StatusError && error.status.reason === 'AlreadyExists'

export class StatefulPodControl {
  readonly #podControl: PodControl
  readonly #pods: Informer<Pod>
  readonly #claims: ResourceClient<PersistentVolumeClaim & KubeObject>
  readonly #claimInformer: Informer<PersistentVolumeClaim>
  readonly #events: EventRecorder

  constructor(
    podControl: PodControl,
    client: KubeClient,
    informers: { readonly pods: Informer<Pod>; readonly claims: Informer<PersistentVolumeClaim> },
    events: EventRecorder
  ) {
    this.#podControl = podControl
    this.#claims = client.of('v1', 'PersistentVolumeClaim')
    this.#pods = informers.pods
    this.#claimInformer = informers.claims
    this.#events = events
  }

  asKnown(pod: Pod, now: number): Pod {
    return this.#podControl.asKnown(pod, now)
  }

  async create(pod: Pod, set: Stateful): Promise<void> {
    await this.#told('create', pod, set, () => this.#createClaims(pod, set))
    let failure: unknown
    try {
      await this.#podControl.add(pod as Draft<Pod>)
    } catch (error) {
      if (isPresent(error)) throw error
      failure = error
    }
    await this.#told('update', pod, set, () => this.ownClaims(pod, set))
    this.#tell('create', pod, set, failure)
    if (failure) throw failure
  }

  /** Creates claims that have gone missing. */
  async completeClaims(pod: Pod, set: Stateful): Promise<void> {
    await this.#createClaims(pod, set)
    await this.#told('update', pod, set, () => this.ownClaims(pod, set))
  }

  /** Whether the Pod is as its set wants it, as far as it can be changed. */
  isInOrder(pod: Pod, set: Stateful): boolean {
    return hasIdentity(set, pod) && hasStorage(set, pod) && this.hasRightOwners(pod, set)
  }

  async mend(pod: Pod, set: Stateful): Promise<void> {
    let mended = hasIdentity(set, pod) ? pod : withIdentity(pod)
    if (!hasStorage(set, mended)) {
      mended = withStorage(set, mended)
      await this.#told('update', pod, set, () => this.#createClaims(mended, set))
    }
    if (!this.hasRightOwners(mended, set)) await this.#told('update', pod, set, () => this.ownClaims(mended, set))
    let failure: unknown
    try {
      this.#pods.learn(await this.#podControl.client.update(mended as Draft<Pod>))
    } catch (error) {
      failure = error
    }
    this.#tell('update', pod, set, failure)
    if (failure) throw failure
  }

  async delete(pod: Pod, set: Stateful): Promise<void> {
    await this.#told('delete', pod, set, () => this.#podControl.remove(pod))
    this.#tell('delete', pod, set, undefined)
  }

  /** Whether a claim of the name waits to be deleted with a former Pod: then the Pod cannot be created yet. */
  hasStaleClaim(pod: Pod, set: Stateful): boolean {
    return deletesWhenScaled(set) && this.#presentClaims(pod, set).some(claim => isOfFormerPod(claim, pod))
  }

  hasRightOwners(pod: Pod, set: Stateful): boolean {
    return this.#presentClaims(pod, set).every(claim => isUpToDate(claim, set, pod))
  }

  async ownClaims(pod: Pod, set: Stateful): Promise<void> {
    for (const claim of this.#presentClaims(pod, set)) {
      const { name } = claim.metadata
      if (hasOtherController(claim, set, pod)) {
        const what = 'has a conflicting OwnerReference that acts as a manging controller'
        const message = `PersistentVolumeClaim ${name} ${what}, the retention policy is ignored for this claim`
        this.#events.warning(set, 'ConflictingController', message)
      }
      if (isUpToDate(claim, set, pod)) continue
      try {
        this.#claimInformer.learn(await this.#claims.update(withOwners(claim, set, pod) as Draft<PersistentVolumeClaim>))
      } catch (error) {
        throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${messageOf(error)}`)
      }
    }
  }

  #presentClaims(pod: Pod, set: Stateful): PersistentVolumeClaim[] {
    const { namespace } = set.metadata
    return (set.spec.volumeClaimTemplates ?? []).flatMap(template => {
      const claim = this.#claimInformer.get({ metadata: { name: claimName(set, template, ordinalOf(pod)), namespace } })
      return claim ? [claim] : []
    })
  }

  async #createClaims(pod: Pod, set: Stateful): Promise<void> {
    const problems: string[] = []
    for (const [, claim] of claimsOf(set, pod)) {
      const { name, namespace } = claim.metadata
      const present = this.#claimInformer.get({ metadata: { name: name!, namespace } })
      if (present) {
        if (present.metadata.deletionTimestamp) problems.push(`pvc ${name} is being deleted`)
        continue
      }
      try {
        this.#claimInformer.learn(await this.#claims.create(claim as Draft<PersistentVolumeClaim>))
        const message = `Create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`
        this.#events.normal(set, 'SuccessfulCreate', message)
      } catch (error) {
        problems.push(`failed to create PVC ${name}: ${messageOf(error)}`)
        if (isPresent(error)) continue
        const where = `for Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`
        this.#events.warning(set, 'FailedCreate', `Create Claim ${name} ${where} failed error: ${messageOf(error)}`)
      }
    }
    if (problems.length > 0) throw new Error(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`)
  }

  async #told(verb: Verb, pod: Pod, set: Stateful, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#tell(verb, pod, set, error)
      throw error
    }
  }

  #tell(verb: Verb, pod: Pod, set: Stateful, failure: unknown): void {
    const word = verb[0]!.toUpperCase() + verb.slice(1)
    const what = `${word} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`
    if (failure === undefined) this.#events.normal(set, `Successful${word}`, `${what} successful`)
    else this.#events.warning(set, `Failed${word}`, `${what} failed error: ${messageOf(failure)}`)
  }
}

type Verb = 'create' | 'update' | 'delete'
