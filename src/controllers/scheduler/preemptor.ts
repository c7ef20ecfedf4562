/** Preempts Pods: tells them why, and deletes them. */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { SeriesRecorder } from '../../client/events/series-recorder.js'
import type { ResourceClient } from '../../client/stored-types.js'
import type { Cluster } from './cluster.js'
import type { PodInfo } from './pod-info.js'
import type { PodWriter } from './pod-writer.js'
import type { Candidate } from './preemption.js'

export interface PreemptorOptions {
  readonly client: ResourceClient<Pod & KubeObject>
  readonly writer: PodWriter
  readonly events: SeriesRecorder
  readonly cluster: Cluster
}

export class Preemptor {
  readonly #options: PreemptorOptions
  /** The uids of Pods whose victims are not all deleted yet: they are not tried before. */
  readonly #running = new Set<string>()

  constructor(options: PreemptorOptions) {
    this.#options = options
  }

  isRunning(uid: string): boolean {
    return this.#running.has(uid)
  }

  /** Preempts the victims for the Pod. Rejects when one of them could not be deleted. */
  async run(pod: PodInfo, { node, victims }: Candidate): Promise<void> {
    const present = victims.filter(({ isTerminating }) => !isTerminating)
    const last = present.at(-1)
    if (!last) return
    this.#running.add(pod.uid)
    try {
      await this.#clearNominations(pod, node.name)
      await Promise.all(present.slice(0, -1).map(victim => this.#preempt(victim, pod, node.name)))
      // what follows the last one may be what the Pod waits for
      this.#running.delete(pod.uid)
      await this.#preempt(last, pod, node.name)
    } finally {
      this.#running.delete(pod.uid)
    }
  }

  /** Less important Pods no longer wait for the Node. */
  async #clearNominations({ priority }: PodInfo, node: string): Promise<void> {
    const { cluster, writer } = this.#options
    const lesser = [...cluster.nominations.of(node)].filter(other => other.priority < priority)
    await Promise.all(lesser.map(other => unlessGone(writer.write(other.pod, { nominatedNodeName: '' }))))
  }

  async #preempt(victim: PodInfo, { pod, uid }: PodInfo, node: string): Promise<void> {
    const { client, writer, events } = this.#options
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${pod.spec.schedulerName}: preempting to accommodate a higher priority pod`
    }
    const { name, namespace } = victim.pod.metadata
    const isThere =
      (await unlessGone(writer.write(victim.pod, { condition }))) &&
      (await unlessGone(client.delete({ metadata: { name, namespace } })))
    if (!isThere) return
    events.record({
      regarding: victim.pod,
      related: pod,
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      note: `Preempted by pod ${uid} on node ${node}`
    })
  }
}

/** Resolves with false when what is written to does not exist. */
async function unlessGone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return false
    throw error
  }
}
