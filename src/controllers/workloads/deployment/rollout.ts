/** One step of a rollout: compares a Deployment with its ReplicaSets, scales them, and reports. */
import { isDeepStrictEqual } from 'node:util'
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { EventRecorder } from '../../../client/events/event-recorder.js'
import type { Draft, Informer, ResourceClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import { controllerReference, isControlledBy } from '../owners.js'
import { isNamespaceTerminating, messageOf } from '../pod-control.js'
import { hasEnded } from '../pods.js'
import { withCondition } from '../status-conditions.js'
import { hashLabel, hashOf, makeSamePods } from '../template-hash.js'
import {
  annotationsOfNew,
  byRevision,
  desiredOf,
  revisionAfter,
  revisionAnnotation,
  revisionOf,
  sizeAnnotations
} from './annotations.js'
import {
  active,
  availableOf,
  byCreation,
  isRolling,
  maxSurge,
  maxUnavailable,
  newSetOf,
  presentOf,
  wanted,
  wantedOf
} from './replica-sets.js'
import { lastRevision, rollbackOf, rolledBack, withoutRollback } from './rollback.js'
import { proportionalSizes } from './scaling.js'
import { condition, conditionOf, isComplete, progressDeadline, rolloutStatusOf, statusOf } from './status.js'

export interface RolloutNeeds {
  readonly deployments: ResourceClient<Deployment & KubeObject>
  readonly replicaSets: ResourceClient<ReplicaSet & KubeObject>
  readonly informers: { readonly deployments: Informer<Deployment>; readonly replicaSets: Informer<ReplicaSet> }
  readonly events: EventRecorder
  readonly clock: Clock
  readonly podsOf: (set: ReplicaSet) => Pod[]
}

/** The longest name of a ReplicaSet. */
const longestName = 253
const unlimited = 2 ** 31 - 1

const leastWaitMs = 1000

export class Rollout {
  readonly #needs: RolloutNeeds
  /** As it is after the last write. */
  #deployment: Deployment
  #old: ReplicaSet[]
  #new: ReplicaSet | undefined

  constructor(needs: RolloutNeeds, deployment: Deployment, sets: readonly ReplicaSet[]) {
    this.#needs = needs
    this.#deployment = deployment
    this.#new = newSetOf(deployment, sets)
    this.#old = sets.filter(set => set !== this.#new)
  }

  /** Resolves with the milliseconds after which the rollout has to be looked at again. */
  async run(): Promise<number | undefined> {
    if (this.#deployment.metadata.deletionTimestamp) {
      await this.#adoptNew()
      return this.#report()
    }
    await this.#notePause()
    await this.#adoptNew()
    if (this.#deployment.spec.paused) {
      await this.#scale()
      if (rollbackOf(this.#deployment) === undefined) await this.#forgetOld()
      return this.#report()
    }
    const revision = rollbackOf(this.#deployment)
    if (revision !== undefined) return this.#rollBack(revision)
    if (this.#isBeingScaled) {
      await this.#scale()
      return this.#report()
    }
    return isRolling(this.#deployment) ? this.#roll() : this.#recreate()
  }

  get #sets(): ReplicaSet[] {
    return this.#new ? [...this.#old, this.#new] : this.#old
  }

  /** Whether the size of the Deployment has changed since its sets were scaled: a change of size is no rollout. */
  get #isBeingScaled(): boolean {
    return active(this.#sets).some(set => (desiredOf(set) ?? wanted(this.#deployment)) !== wanted(this.#deployment))
  }

  /** Brings a former template back. The change of the Deployment begins the next look. */
  async #rollBack(wanted: bigint): Promise<undefined> {
    const { deployments, informers, events } = this.#needs
    if (!(await this.#ensureNew())) return
    const { name } = this.#deployment.metadata
    const revision = wanted || lastRevision(this.#sets)
    const set = revision === 0n ? undefined : this.#sets.find(one => revisionOf(one) === revision)
    const isChange = !!set && !makeSamePods(set.spec.template!, this.#deployment.spec.template)
    if (!set) {
      const problem = revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.'
      events.warning(this.#deployment, 'DeploymentRollbackRevisionNotFound', problem)
    } else if (!isChange) {
      const message = `The rollback revision contains the same template as current deployment "${name}"`
      events.warning(this.#deployment, 'DeploymentRollbackTemplateUnchanged', message)
    }
    const next = withoutRollback(isChange ? rolledBack(this.#deployment, set) : this.#deployment)
    informers.deployments.learn(await deployments.update(next as Draft<Deployment>))
    if (isChange)
      events.normal(this.#deployment, 'DeploymentRollback', `Rolled back deployment "${name}" to revision ${revision}`)
  }

  async #roll(): Promise<number | undefined> {
    const set = await this.#ensureNew()
    if (!set) return undefined
    if (await this.#growNew(set)) return this.#reportRollout()
    if (await this.#shrinkOld(set)) return this.#reportRollout()
    if (isComplete(this.#deployment, this.#deployment.status)) await this.#forgetOld()
    return this.#reportRollout()
  }

  async #growNew(set: ReplicaSet): Promise<boolean> {
    const count = wanted(this.#deployment)
    if (wanted(set) === count) return false
    return this.#resize(set, wanted(set) > count ? count : this.#sizeOfNew(set))
  }

  /** As many Pods as the surge leaves room for. */
  #sizeOfNew(set: ReplicaSet): number {
    const count = wanted(this.#deployment)
    if (!isRolling(this.#deployment)) return count
    const room = count + maxSurge(this.#deployment) - wantedOf([...this.#old, set])
    return room <= 0 ? wanted(set) : wanted(set) + Math.min(room, count - wanted(set))
  }

  async #shrinkOld(set: ReplicaSet): Promise<boolean> {
    if (wantedOf(this.#old) === 0) return false
    const least = wanted(this.#deployment) - maxUnavailable(this.#deployment)
    const missing = wanted(set) - (set.status.availableReplicas ?? 0)
    const spare = wantedOf(this.#sets) - least - missing
    if (spare <= 0) return false
    // first those that serve nobody
    let shrunk = 0
    for (const old of active(this.#old).sort(byCreation)) {
      const useless = wanted(old) - (old.status.availableReplicas ?? 0)
      const count = Math.min(useless, spare - shrunk)
      if (count <= 0) continue
      await this.#resize(old, wanted(old) - count)
      shrunk += count
    }
    const dispensable = availableOf(this.#sets) - least
    let removed = 0
    for (const old of active(this.#old).sort(byCreation)) {
      const count = Math.min(wanted(old), dispensable - removed)
      if (count <= 0) break
      await this.#resize(old, wanted(old) - count)
      removed += count
    }
    return shrunk + removed > 0
  }

  async #recreate(): Promise<number | undefined> {
    let scaled = false
    for (const set of active(this.#old)) scaled = (await this.#resize(set, 0)) || scaled
    if (scaled || this.#hasOldPods) return this.#reportRollout()
    const set = await this.#ensureNew()
    if (!set) return undefined
    await this.#resize(set, wanted(this.#deployment))
    if (isComplete(this.#deployment, this.#deployment.status)) await this.#forgetOld()
    return this.#reportRollout()
  }

  get #hasOldPods(): boolean {
    if (presentOf(this.#old) > 0) return true
    return this.#old.some(set => this.#needs.podsOf(set).some(pod => !hasEnded(pod.status.phase)))
  }

  /** Brings the sets to the size of the Deployment, without a rollout. */
  async #scale(): Promise<void> {
    const count = wanted(this.#deployment)
    const running = active(this.#sets)
    if (running.length <= 1) {
      const only = running[0] ?? this.#new ?? this.#old.toSorted(byCreation).at(-1)
      if (only && wanted(only) !== count) await this.#resize(only, count)
    } else if (this.#isSaturated) {
      for (const set of active(this.#old)) await this.#resize(set, 0)
    } else if (isRolling(this.#deployment)) {
      for (const [set, size] of proportionalSizes(this.#deployment, running)) await this.#resize(set, size, { annotate: true })
    }
  }

  get #isSaturated(): boolean {
    const count = wanted(this.#deployment)
    const set = this.#new
    return !!set && wanted(set) === count && desiredOf(set) === count && (set.status.availableReplicas ?? 0) === count
  }

  /** Returns whether the size has changed. With `annotate`, a set of the right size also gets the annotations of the size. */
  async #resize(set: ReplicaSet, size: number, { annotate = false } = {}): Promise<boolean> {
    const old = wanted(set)
    const sizes = sizeAnnotations(this.#deployment)
    const isAnnotated = Object.entries(sizes).every(([key, value]) => set.metadata.annotations?.[key] === value)
    if (old === size && (!annotate || isAnnotated)) return false
    const metadata = { ...set.metadata, annotations: { ...set.metadata.annotations, ...sizes } }
    await this.#update({ ...set, metadata, spec: { ...set.spec, replicas: size } })
    if (old === size) return false
    const direction = old < size ? 'up' : 'down'
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${old} to ${size}`
    this.#needs.events.normal(this.#deployment, 'ScalingReplicaSet', message)
    return true
  }

  async #update(set: ReplicaSet): Promise<ReplicaSet> {
    const { replicaSets, informers } = this.#needs
    const updated = await replicaSets.update(set as Draft<ReplicaSet>)
    informers.replicaSets.learn(updated)
    const isIt = ({ metadata }: ReplicaSet) => metadata.uid === updated.metadata.uid
    if (this.#new && isIt(this.#new)) this.#new = updated
    this.#old = this.#old.map(one => (isIt(one) ? updated : one))
    return updated
  }

  /** Brings revision and annotations of the set with the present template up to date. */
  async #adoptNew(): Promise<void> {
    const set = this.#new
    if (!set) return
    const revision = revisionAfter(this.#old)
    const annotations = annotationsOfNew(this.#deployment, set.metadata.annotations ?? {}, revision)
    const { minReadySeconds } = this.#deployment.spec
    if (!isDeepStrictEqual(annotations, set.metadata.annotations ?? {}) || set.spec.minReadySeconds !== minReadySeconds)
      await this.#update({ ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, minReadySeconds } })
    const found = `Found new replica set "${set.metadata.name}"`
    await this.#noteRevision(this.#new!.metadata.annotations?.[revisionAnnotation], 'FoundNewReplicaSet', found)
  }

  /** The set with the present template, which is made when it is missing; undefined when another name has to be tried. */
  async #ensureNew(): Promise<ReplicaSet | undefined> {
    if (this.#new) return this.#new
    const { replicaSets, informers, events, clock } = this.#needs
    const revision = revisionAfter(this.#old)
    const draft = this.#draft(revision)
    try {
      const created = await replicaSets.create(draft as Draft<ReplicaSet>)
      informers.replicaSets.learn(created)
      this.#new = created
      const name = created.metadata.name
      if (wanted(created) > 0) {
        const message = `Scaled up replica set ${name} from 0 to ${wanted(created)}`
        events.normal(this.#deployment, 'ScalingReplicaSet', message)
      }
      await this.#noteRevision(String(revision), 'NewReplicaSetCreated', `Created new replica set "${name}"`, { anew: true })
      return created
    } catch (error) {
      if (error instanceof StatusError && error.status.reason === 'AlreadyExists') return this.#collided(draft, revision, error)
      if (isNamespaceTerminating(error)) throw error
      const message = `Failed to create new replica set "${draft.metadata.name}": ${messageOf(error)}`
      if (progressDeadline(this.#deployment) !== undefined) {
        const failed = condition('Progressing', 'False', 'ReplicaSetCreateError', message, clock.now())
        await this.#writeStatus({ conditions: withCondition(this.#deployment.status.conditions, failed) })
      }
      events.warning(this.#deployment, 'ReplicaSetCreateError', message)
      throw error
    }
  }

  #draft(revision: bigint): ReplicaSet {
    const deployment = this.#deployment
    const { template, selector, minReadySeconds } = deployment.spec
    const hash = hashOf(template, deployment.status.collisionCount)
    const labels = { ...template.metadata?.labels, [hashLabel]: hash }
    const draft: ReplicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name!.slice(0, longestName - 1 - hash.length)}-${hash}`,
        namespace: deployment.metadata.namespace,
        ownerReferences: [controllerReference(deployment)],
        labels,
        annotations: { ...annotationsOfNew(deployment, {}, revision), ...sizeAnnotations(deployment) }
      },
      spec: {
        replicas: 0,
        minReadySeconds,
        selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } }
      },
      status: {} as ReplicaSet['status']
    }
    return { ...draft, spec: { ...draft.spec, replicas: this.#sizeOfNew(draft) } }
  }

  /** A set of the name is there: it is the wanted one, whose event is still to come, or one of another template. */
  async #collided(draft: ReplicaSet, revision: bigint, error: unknown): Promise<ReplicaSet | undefined> {
    const { replicaSets, informers } = this.#needs
    const present = await replicaSets.find({ metadata: draft.metadata as { name: string } })
    if (present && isControlledBy(present, this.#deployment) && makeSamePods(present.spec.template!, draft.spec.template!)) {
      informers.replicaSets.learn(present)
      this.#new = present
      await this.#noteRevision(String(revision), undefined, '')
      return present
    }
    await this.#writeStatus({ collisionCount: (this.#deployment.status.collisionCount ?? 0) + 1 })
    throw error
  }

  /** Notes the revision in the Deployment, and how its set was found: with `anew`, also where there is a condition already. */
  async #noteRevision(
    revision: string | undefined,
    reason: string | undefined,
    message: string,
    { anew = false } = {}
  ): Promise<void> {
    const { metadata, status } = this.#deployment
    const isNoted = revision === undefined || metadata.annotations?.[revisionAnnotation] === revision
    const notes =
      reason !== undefined && progressDeadline(this.#deployment) !== undefined && (anew || !conditionOf(status, 'Progressing'))
    if (isNoted && !notes) return
    const progress = notes && condition('Progressing', 'True', reason, message, this.#needs.clock.now())
    await this.#writeStatus(progress ? { conditions: withCondition(status.conditions, progress) } : {}, revision)
  }

  async #notePause(): Promise<void> {
    const { spec, status } = this.#deployment
    const progress = conditionOf(status, 'Progressing')
    if (progressDeadline(this.#deployment) === undefined || progress?.reason === 'ProgressDeadlineExceeded') return
    const isNoted = progress?.reason === 'DeploymentPaused'
    if (!!spec.paused === isNoted) return
    const word = spec.paused ? 'paused' : 'resumed'
    const reason = spec.paused ? 'DeploymentPaused' : 'DeploymentResumed'
    const next = condition('Progressing', 'Unknown', reason, `Deployment is ${word}`, this.#needs.clock.now())
    await this.#writeStatus({ conditions: withCondition(status.conditions, next) })
  }

  /** Deletes the oldest of the sets that nothing runs of, beyond those that a rollback may go to. */
  async #forgetOld(): Promise<void> {
    const { revisionHistoryLimit: limit = unlimited } = this.#deployment.spec
    if (limit === unlimited) return
    const sets = this.#old.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byRevision)
    for (const set of sets.slice(0, Math.max(0, sets.length - limit))) {
      const { status, metadata } = set
      const isCurrent = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
      if (status.replicas || wanted(set) !== 0 || !isCurrent) continue
      try {
        await this.#needs.replicaSets.delete(set)
      } catch (error) {
        if (!(error instanceof StatusError && error.code === 404)) throw error
      }
    }
  }

  async #report(): Promise<undefined> {
    const status = statusOf(this.#deployment, this.#sets, this.#new, this.#needs.clock.now())
    if (!isSame(status, this.#deployment.status)) await this.#writeStatus(status)
  }

  async #reportRollout(): Promise<number | undefined> {
    const now = this.#needs.clock.now()
    const status = rolloutStatusOf(this.#deployment, this.#sets, this.#new, now)
    if (!isSame(status, this.#deployment.status)) await this.#writeStatus(status)
    return this.#untilDeadline(now)
  }

  /**
   * When a rollout that makes no progress from now on has failed. Once it has come to its end, what happens to its Pods makes it no rollout
   * again: nothing ends with time then. At least a second passes, because the next look may come before there is anything else to see.
   */
  #untilDeadline(now: number): number | undefined {
    const { status } = this.#deployment
    const progress = conditionOf(status, 'Progressing')
    const seconds = progressDeadline(this.#deployment)
    if (!progress || seconds === undefined || isComplete(this.#deployment, status)) return undefined
    if (progress.reason === 'ProgressDeadlineExceeded' || progress.reason === 'NewReplicaSetAvailable') return undefined
    return Math.max(leastWaitMs, Date.parse(progress.lastUpdateTime ?? '') + (seconds + 1) * 1000 - now)
  }

  async #writeStatus(changed: Partial<DeploymentStatus>, revision?: string): Promise<void> {
    const { deployments, informers } = this.#needs
    const { metadata, status } = this.#deployment
    const annotations =
      revision === undefined ? metadata.annotations : { ...metadata.annotations, [revisionAnnotation]: revision }
    const next = { ...this.#deployment, metadata: { ...metadata, annotations }, status: { ...status, ...changed } }
    this.#deployment = await deployments.subresource('status').update(next, next as Draft<Deployment>)
    informers.deployments.learn(this.#deployment)
  }
}

/** Whether two statuses say the same: a field that is undefined is one that is missing. */
const isSame = (a: object, b: object): boolean => isDeepStrictEqual(stripped(a), stripped(b))
const stripped = (value: object) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
