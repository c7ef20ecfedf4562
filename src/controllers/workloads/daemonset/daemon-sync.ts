/** One look at a DaemonSet: a Pod on each Node that should have one, all of the same revision in the end. */
import type { DaemonSet, DaemonSetStatus } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Node, Pod, PodSpec, PodTemplateSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import type { EventRecorder } from '../../../client/events/event-recorder.js'
import type { Draft, Informer, ResourceClient } from '../../../client/stored-types.js'
import type { Clock } from '../../../util/clock.js'
import { type ControllerHistory, isSameData, type Revision, revisionOf, templatePatch } from '../controller-history.js'
import { isNamespaceTerminating, type PodControl, podOf, slowStart } from '../pod-control.js'
import { hasEnded, isAvailable, isReady, untilAvailable } from '../pods.js'
import { hashOf } from '../template-hash.js'
import { affinityTo, daemonTolerations, type Fit, fitOf, targetNode } from './daemon-nodes.js'
import type { FailedPods } from './failed-pods.js'
import { limitsOf, type NodeView, replaceBeside, replaceInPlace } from './rolling.js'

export interface DaemonNeeds {
  readonly sets: ResourceClient<DaemonSet & KubeObject>
  readonly informer: Informer<DaemonSet>
  readonly podControl: PodControl
  readonly history: ControllerHistory
  readonly events: EventRecorder
  readonly clock: Clock
  readonly failed: FailedPods
  /** The Pods that the set controls. */
  readonly podsOf: (set: DaemonSet) => readonly Pod[]
}

const revisionLabel = 'controller-revision-hash'
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'

/** The most Pods that are created or deleted in one go. */
const burst = 250

const created = ({ metadata }: Pod) => Date.parse(metadata.creationTimestamp ?? '')

/** Those on a Node first, and then the oldest. */
function byAge(a: Pod, b: Pod): number {
  const unbound = ({ spec }: Pod) => (spec.nodeName ? 0 : 1)
  return unbound(a) - unbound(b) || created(a) - created(b) || (a.metadata.name! < b.metadata.name! ? -1 : 1)
}

export class DaemonSync {
  readonly #needs: DaemonNeeds
  readonly #set: DaemonSet & KubeObject
  readonly #nodes: readonly Node[]
  readonly #fits: ReadonlyMap<string, Fit>
  readonly #now: number
  #hash = ''
  #wakeAt = Number.POSITIVE_INFINITY

  constructor(needs: DaemonNeeds, set: DaemonSet & KubeObject, nodes: readonly Node[]) {
    this.#needs = needs
    this.#set = set
    this.#nodes = nodes.toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1))
    const fit = fitOf(set)
    this.#fits = new Map(this.#nodes.map(node => [node.metadata.name!, fit(node)]))
    this.#now = needs.clock.now()
  }

  /** `revisions`: the oldest first. Resolves with the milliseconds after which the set has to be looked at again. */
  async run(revisions: readonly Revision[]): Promise<number | undefined> {
    const { current, old } = await this.#findRevisions(revisions)
    this.#hash = current.metadata.labels?.[revisionLabel] ?? ''
    let failure: unknown
    try {
      await this.#manage()
      if (this.#set.spec.updateStrategy.type === 'RollingUpdate') await this.#roll()
      await this.#forgetOld(old)
    } catch (error) {
      failure = error
    }
    await this.#report()
    if (failure) throw failure
    return Number.isFinite(this.#wakeAt) ? Math.max(0, this.#wakeAt - this.#now) : undefined
  }

  #wakeIn(milliseconds: number): void {
    this.#wakeAt = Math.min(this.#wakeAt, this.#now + milliseconds)
  }

  #isAvailable = (pod: Pod): boolean => isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#now)

  get #generation(): string | undefined {
    const text = this.#set.metadata.annotations?.[generationAnnotation]
    return text !== undefined && /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined
  }

  #isCurrent = ({ metadata: { labels } }: Pod): boolean =>
    labels?.[revisionLabel] === this.#hash || (this.#generation !== undefined && labels?.[generationLabel] === this.#generation)

  /** The Pods by their Nodes, without those that have ended and are about to go. */
  #podsByNode(): Map<string, Pod[]> {
    const { podControl, podsOf } = this.#needs
    const found = new Map<string, Pod[]>()
    for (const one of podsOf(this.#set)) {
      const pod = podControl.asKnown(one, this.#now)
      const node = targetNode(pod)
      if (node === undefined || (hasEnded(pod.status.phase) && pod.metadata.deletionTimestamp)) continue
      found.set(node, [...(found.get(node) ?? []), pod])
    }
    return found
  }

  async #manage(): Promise<void> {
    const pods = this.#podsByNode()
    const deletes: Pod[] = []
    const creates: string[] = []
    for (const { metadata } of this.#nodes) {
      const name = metadata.name!
      const { runs, stays } = this.#fits.get(name)!
      const present = pods.get(name)
      if (runs && !present) creates.push(name)
      else if (stays) {
        const spare = this.#spareOn(name, present ?? [])
        deletes.push(...spare.deletes)
        if (spare.running === 0 && runs && this.#surges) creates.push(name)
      } else if (present) deletes.push(...present.filter(pod => !pod.metadata.deletionTimestamp))
    }
    // a Pod for a Node that does not exist is never scheduled
    for (const [node, waiting] of pods) if (!this.#fits.has(node)) deletes.push(...waiting.filter(({ spec }) => !spec.nodeName))
    await this.#apply(deletes, creates)
  }

  get #surges(): boolean {
    return limitsOf(this.#set, 1).surge > 0
  }

  /** What is one too many on a Node, or has ended. */
  #spareOn(node: string, pods: readonly Pod[]): { deletes: Pod[]; running: number } {
    const { failed, events } = this.#needs
    const deletes: Pod[] = []
    const running: Pod[] = []
    for (const pod of pods) {
      const { name, namespace, deletionTimestamp } = pod.metadata
      if (deletionTimestamp) continue
      const what = `daemon pod ${namespace}/${name} on node ${node}`
      if (pod.status.phase === 'Failed') {
        // a kubelet that refuses the Pod would refuse the next one as well
        const wait = failed.noteFailure(this.#set, node, this.#now)
        if (wait > 0) {
          this.#wakeIn(wait)
          continue
        }
        events.warning(this.#set, 'FailedDaemonPod', `Found failed ${what}, will try to kill it`)
        deletes.push(pod)
      } else if (pod.status.phase === 'Succeeded') {
        events.normal(this.#set, 'SucceededDaemonPod', `Found succeeded ${what}, will try to delete it`)
        deletes.push(pod)
      } else running.push(pod)
    }
    running.sort(byAge)
    if (!this.#surges) return { deletes: [...deletes, ...running.slice(1)], running: running.length }
    if (running.length <= 1) return { deletes, running: running.length }
    const isNew = ({ metadata }: Pod) => metadata.labels?.[revisionLabel] === this.#hash
    const [current, outdated] = [running.find(isNew), running.find(pod => !isNew(pod))]
    deletes.push(...running.filter(pod => pod !== current && pod !== outdated))
    if (current && outdated && (!isReady(outdated) || this.#isAvailable(current))) deletes.push(outdated)
    return { deletes, running: running.length }
  }

  async #roll(): Promise<void> {
    const pods = this.#podsByNode()
    const wanted = [...this.#fits].filter(([, { runs }]) => runs).map(([name]) => name)
    const views = [...new Set([...wanted, ...pods.keys()])].map((name): NodeView => {
      const present = (pods.get(name) ?? []).filter(({ metadata }) => !metadata.deletionTimestamp)
      const runs = this.#fits.get(name)?.runs ?? false
      return {
        name,
        runs,
        current: present.filter(this.#isCurrent),
        outdated: present.filter(pod => !this.#isCurrent(pod))
      }
    })
    const limits = limitsOf(this.#set, wanted.length)
    const { deletes, creates } =
      limits.surge > 0
        ? replaceBeside(views, limits, wanted.length, this.#isAvailable)
        : replaceInPlace(views, limits, this.#isAvailable)
    await this.#apply(deletes, creates)
  }

  async #apply(deletes: readonly Pod[], creates: readonly string[]): Promise<void> {
    const { podControl } = this.#needs
    let failure: unknown
    let next = 0
    try {
      await slowStart(Math.min(burst, creates.length), async () => {
        const node = creates[next++]!
        try {
          await podControl.create(this.#newPod(node), this.#set)
        } catch (error) {
          if (!isNamespaceTerminating(error)) throw error
        }
      })
    } catch (error) {
      failure = error
    }
    const results = await Promise.allSettled(deletes.slice(0, burst).map(pod => podControl.delete(pod, this.#set)))
    failure ??= results.find(result => result.status === 'rejected')?.reason
    if (failure) throw failure
  }

  #newPod(node: string): Draft<Pod> {
    const { template } = this.#set.spec
    const spec = template.spec!
    const generation = this.#generation
    const labels = {
      ...template.metadata?.labels,
      ...(generation === undefined ? {} : { [generationLabel]: generation }),
      [revisionLabel]: this.#hash
    }
    const own: PodSpec = { ...spec, tolerations: daemonTolerations(spec), affinity: affinityTo(node, spec) }
    return podOf({ metadata: { ...template.metadata, labels }, spec: own } as PodTemplateSpec, this.#set)
  }

  /** The revision of the present template, and the others. */
  async #findRevisions(revisions: readonly Revision[]): Promise<{ current: Revision; old: Revision[] }> {
    const { history } = this.#needs
    const data = templatePatch(this.#set.spec.template)
    const same: Revision[] = []
    const old: Revision[] = []
    for (const revision of revisions) {
      const { labels, name } = revision.metadata
      const labelled = labels?.[revisionLabel] ? revision : await history.relabel(revision, { [revisionLabel]: name! })
      ;(isSameData(revision.data, data) ? same : old).push(labelled)
    }
    const number = Math.max(0, ...old.map(({ revision }) => revision)) + 1
    if (same.length === 0) return { current: await this.#createRevision(number), old }
    const current = await this.#merge(same)
    return { current: current.revision < number ? await history.renumber(current, number) : current, old }
  }

  /** Of several revisions with the same template, the last stays. */
  async #merge(same: readonly Revision[]): Promise<Revision> {
    const { history, podControl, podsOf } = this.#needs
    const kept = same.at(-1)!
    if (same.length === 1) return kept
    const hash = kept.metadata.labels![revisionLabel]!
    for (const pod of podsOf(this.#set))
      if (pod.metadata.labels?.[revisionLabel] !== hash)
        await podControl.client.patch(pod, { metadata: { labels: { [revisionLabel]: hash } } })
    for (const revision of same) if (revision !== kept) await history.delete(revision)
    return kept
  }

  async #createRevision(number: number): Promise<Revision> {
    const { sets, history } = this.#needs
    const { template } = this.#set.spec
    const hash = hashOf(template, this.#set.status.collisionCount)
    const name = `${this.#set.metadata.name}-${hash}`
    try {
      return await history.create(revisionOf(this.#set, template, { name, labels: { [revisionLabel]: hash }, revision: number }))
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error
      const present = await sets.get(this.#set)
      if (present.status.collisionCount === this.#set.status.collisionCount)
        await this.#write(present, { ...present.status, collisionCount: (present.status.collisionCount ?? 0) + 1 })
      throw error
    }
  }

  /** Deletes the oldest revisions that no Pod has, beyond the limit. */
  async #forgetOld(old: readonly Revision[]): Promise<void> {
    const { history, podsOf } = this.#needs
    let surplus = old.length - (this.#set.spec.revisionHistoryLimit ?? 10)
    if (surplus <= 0) return
    const live = new Set(podsOf(this.#set).map(({ metadata }) => metadata.labels?.[revisionLabel]))
    for (const revision of old) {
      if (surplus <= 0) return
      if (live.has(revision.metadata.labels?.[revisionLabel])) continue
      await history.delete(revision)
      surplus--
    }
  }

  async #report(): Promise<void> {
    const pods = this.#podsByNode()
    const counts = { desired: 0, current: 0, misplaced: 0, ready: 0, available: 0, updated: 0 }
    const shown: Pod[] = []
    for (const [name, { runs }] of this.#fits) {
      const [pod] = (pods.get(name) ?? []).toSorted(byAge)
      if (!runs) {
        if (pod) counts.misplaced++
        continue
      }
      counts.desired++
      if (!pod) continue
      shown.push(pod)
      counts.current++
      if (isReady(pod)) counts.ready++
      if (this.#isAvailable(pod)) counts.available++
      if (this.#isCurrent(pod)) counts.updated++
    }
    const wait = untilAvailable(shown, this.#set.spec.minReadySeconds ?? 0, this.#now)
    if (wait !== undefined) this.#wakeIn(wait)
    const { status, metadata } = this.#set
    const next: DaemonSetStatus = {
      ...status,
      currentNumberScheduled: counts.current,
      numberMisscheduled: counts.misplaced,
      desiredNumberScheduled: counts.desired,
      numberReady: counts.ready,
      observedGeneration: metadata.generation,
      updatedNumberScheduled: counts.updated || undefined,
      numberAvailable: counts.available || undefined,
      numberUnavailable: counts.desired - counts.available || undefined
    }
    const fields = Object.keys(next) as (keyof DaemonSetStatus)[]
    const isSame = fields.every(field => field === 'observedGeneration' || status[field] === next[field])
    if (isSame && (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)) return
    try {
      await this.#write(this.#set, next)
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error
      const present = await this.#needs.sets.find(this.#set)
      if (present) await this.#write(present, next)
    }
  }

  async #write(set: DaemonSet & KubeObject, status: DaemonSetStatus): Promise<void> {
    const { sets, informer } = this.#needs
    informer.learn(await sets.subresource('status').update(set, { ...set, status } as Draft<DaemonSet>))
  }
}
