/** One look at a StatefulSet: creates Pods in their order, deletes those beyond, and replaces those of former revisions. */
import type { StatefulSetStatus } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { Draft, Informer, ResourceClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import {
  type ControllerHistory,
  dataHash,
  isSameData,
  type Revision,
  revisionName,
  revisionOf,
  templateIn,
  templatePatch
} from '../controller-history.js'
import { scaledValue } from '../int-or-percent.js'
import { slowStart } from '../pod-control.js'
import { isAvailable, untilAvailable } from '../pods.js'
import type { StatefulPodControl } from './stateful-pod-control.js'
import {
  firstOrdinal,
  hasFinished,
  isCreated,
  isGoing,
  isInRange,
  isParallel,
  isRunningAndReady,
  isUnavailable,
  newPod,
  ordinalOf,
  podRevision,
  type Stateful as StatefulSet,
  type Versions,
  wanted
} from './stateful-pods.js'
import { completed, hasChanged, statusOf } from './status.js'

export interface SetNeeds {
  readonly sets: ResourceClient<StatefulSet>
  readonly informer: Informer<StatefulSet>
  readonly control: StatefulPodControl
  readonly history: ControllerHistory
  readonly clock: Clock
}

const hashLabel = 'controller.kubernetes.io/hash'

export class SetSync {
  readonly #needs: SetNeeds
  readonly #set: StatefulSet
  readonly #pods: readonly Pod[]
  readonly #revisions: readonly Revision[]
  readonly #now: number
  #collisionCount: number
  /** Pods of the current revision that have been deleted in this look. */
  #replaced = 0

  /** `revisions`: the oldest first. */
  constructor(needs: SetNeeds, set: StatefulSet, pods: readonly Pod[], revisions: readonly Revision[]) {
    this.#needs = needs
    this.#set = set
    this.#now = needs.clock.now()
    this.#pods = pods.map(pod => needs.control.asKnown(pod, this.#now))
    this.#revisions = revisions
    this.#collisionCount = set.status.collisionCount ?? 0
  }

  /** Resolves with the milliseconds after which the set has to be looked at again. */
  async run(): Promise<number | undefined> {
    const update = await this.#updateRevision()
    const current = this.#revisions.find(({ metadata }) => metadata.name === this.#set.status.currentRevision) ?? update
    const versionOf = (revision: Revision) => ({
      name: revision.metadata.name!,
      template: templateIn(revision) ?? this.#set.spec.template
    })
    const versions = { current: versionOf(current), update: versionOf(update) }
    const { replicas, condemned } = this.#partition(versions)
    let failure: unknown
    try {
      if (!this.#set.metadata.deletionTimestamp) await this.#manage(replicas, condemned, versions.update.name)
    } catch (error) {
      failure = error
    }
    const status = this.#statusOf([...replicas, ...condemned], versions)
    if (hasChanged(this.#set, status)) await this.#write(status)
    await this.#forgetOld([versions.current.name, versions.update.name])
    if (failure) throw failure
    const { minReadySeconds = 0 } = this.#set.spec
    if ((status.readyReplicas ?? 0) === status.availableReplicas) return undefined
    return untilAvailable(this.#pods, minReadySeconds, this.#now) ?? minReadySeconds * 1000
  }

  #statusOf(pods: readonly Pod[], { current, update }: Versions): StatefulSetStatus {
    const counted = { pods, current: current.name, update: update.name, collisionCount: this.#collisionCount }
    const status = statusOf(this.#set, counted, this.#now)
    const left = (status.currentReplicas ?? 0) - this.#replaced
    return completed(this.#set, { ...status, currentReplicas: left || undefined })
  }

  async #write(status: StatefulSetStatus): Promise<void> {
    const { sets, informer } = this.#needs
    const write = async (set: StatefulSet) =>
      informer.learn(await sets.subresource('status').update(set, { ...set, status } as Draft<StatefulSet>))
    try {
      await write(this.#set)
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error
      const present = await sets.find(this.#set)
      if (present) await write(present)
    }
  }

  /** The revision of the present template: the last one, a former one that becomes the last again, or a new one. */
  async #updateRevision(): Promise<Revision> {
    const { history } = this.#needs
    const { template } = this.#set.spec
    const data = templatePatch(template)
    const last = this.#revisions.at(-1)
    const number = (last?.revision ?? 0) + 1
    const equal = this.#revisions.filter(revision => isSameData(revision.data, data)).at(-1)
    if (equal) return equal === last || isSameData(equal.data, last!.data) ? last! : history.renumber(equal, number)
    const firstHash = dataHash(data, this.#collisionCount)
    for (;;) {
      const name = revisionName(this.#set.metadata.name!, dataHash(data, this.#collisionCount))
      try {
        return await history.create(
          revisionOf(this.#set, template, { name, labels: { [hashLabel]: firstHash }, revision: number })
        )
      } catch (error) {
        if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error
        this.#collisionCount++
      }
    }
  }

  /** Deletes the oldest revisions that nothing has, beyond the limit. */
  async #forgetOld(names: readonly string[]): Promise<void> {
    const live = new Set([...names, ...this.#pods.map(podRevision)])
    const old = this.#revisions.filter(({ metadata }) => !live.has(metadata.name!))
    const limit = this.#set.spec.revisionHistoryLimit ?? 10
    if (limit < 0) return
    for (const revision of old.slice(0, Math.max(0, old.length - limit))) await this.#needs.history.delete(revision)
  }

  /** The Pods that should be there, in their order, those that are to be created among them; and those beyond, the last first. */
  #partition(versions: Versions): { replicas: Pod[]; condemned: Pod[] } {
    const set = this.#set
    const first = firstOrdinal(set)
    const present = new Map(this.#pods.map(pod => [ordinalOf(pod), pod]))
    const replicas = Array.from(
      { length: wanted(set) },
      (_, position) => present.get(first + position) ?? newPod(set, versions, first + position)
    )
    const condemned = this.#pods.filter(pod => ordinalOf(pod) >= 0 && !isInRange(pod, set))
    return { replicas, condemned: condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a)) }
  }

  async #manage(replicas: readonly Pod[], condemned: readonly Pod[], update: string): Promise<void> {
    const { control } = this.#needs
    const isUnwell = (pod: Pod) => isUnavailable(pod, this.#set, this.#now)
    const firstUnwell = replicas.find(isUnwell) ?? condemned.toReversed().find(isUnwell)
    if (!(await this.#forAll(replicas, pod => this.#keep(pod)))) return
    const fixed = await this.#forAll(condemned, async pod => {
      if (!control.hasRightOwners(pod, this.#set)) await control.ownClaims(pod, this.#set)
      return true
    })
    if (!fixed || !(await this.#forAll(condemned, pod => this.#end(pod, firstUnwell)))) return
    if (this.#set.spec.updateStrategy.type === 'RollingUpdate') await this.#roll(replicas, update)
  }

  /** Does something with all Pods: one after the other until it returns false, or with all at once. Returns whether it came to the end. */
  async #forAll(pods: readonly Pod[], action: (pod: Pod) => Promise<boolean>): Promise<boolean> {
    if (isParallel(this.#set)) {
      let next = 0
      await slowStart(pods.length, () => action(pods[next++]!))
      return true
    }
    for (const pod of pods) if (!(await action(pod))) return false
    return true
  }

  /** Brings a Pod that should be there one step further. Returns whether it is ready for the next one. */
  async #keep(pod: Pod): Promise<boolean> {
    const { control } = this.#needs
    const set = this.#set
    const isOrdered = !isParallel(set)
    if (hasFinished(pod)) {
      if (!isGoing(pod)) await control.delete(pod, set)
      return false
    }
    if (!isCreated(pod)) {
      if (control.hasStaleClaim(pod, set)) return false
      await control.create(pod, set)
      return !isOrdered
    }
    if (pod.status.phase === 'Pending') await control.completeClaims(pod, set)
    const isWell = isRunningAndReady(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, this.#now)
    if (isOrdered && (isGoing(pod) || !isWell)) return false
    if (!control.isInOrder(pod, set)) await control.mend(pod, set)
    return true
  }

  /** Deletes a Pod that is one too many, when its turn has come. */
  async #end(pod: Pod, firstUnwell: Pod | undefined): Promise<boolean> {
    const isOrdered = !isParallel(this.#set)
    if (isGoing(pod)) return !isOrdered
    const isWell = isRunningAndReady(pod) && isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#now)
    if (isOrdered && !isWell && pod !== firstUnwell) return false
    await this.#needs.control.delete(pod, this.#set)
    return false
  }

  /** Replaces Pods of other revisions from the last one on, as many as may be missing. */
  async #roll(replicas: readonly Pod[], update: string): Promise<void> {
    const set = this.#set
    const { rollingUpdate } = set.spec.updateStrategy
    const most = Math.max(1, scaledValue(rollingUpdate?.maxUnavailable ?? 1, wanted(set), 'down'))
    const isUnwell = (pod: Pod) => isUnavailable(pod, set, this.#now)
    const isOutdated = (pod: Pod) => podRevision(pod) !== update && !isGoing(pod)
    let room = most - replicas.filter(isUnwell).length
    const candidates = replicas.slice(rollingUpdate?.partition ?? 0).reverse()
    if (isParallel(set)) {
      const isStuck = (pod: Pod) => isOutdated(pod) && isUnwell(pod)
      if (room <= 0 && !replicas.some(isStuck)) return
      // those that serve nobody cost nothing
      for (const pod of candidates.filter(isStuck)) await this.#replace(pod)
    }
    for (const pod of candidates) {
      if (room <= 0) return
      if (!isOutdated(pod) || (isParallel(set) && isUnwell(pod))) continue
      await this.#replace(pod)
      room--
    }
  }

  async #replace(pod: Pod): Promise<void> {
    await this.#needs.control.delete(pod, this.#set)
    this.#replaced++
  }
}
