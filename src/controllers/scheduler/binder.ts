/** Binds Pods to the Nodes that they are assigned to: several at a time, while others are scheduled. */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { SeriesRecorder } from '../../client/events/series-recorder.js'
import type { ResourceClient } from '../../client/stored-types.js'
import { messageOf } from '../workloads/pod-control.js'
import type { Reservation } from './plugin.js'
import type { PodWriter } from './pod-writer.js'
import type { QueuedPod } from './scheduling-queue.js'

export interface BinderOptions {
  readonly client: ResourceClient<Pod & KubeObject>
  readonly writer: PodWriter
  readonly events: SeriesRecorder
  failed(queued: QueuedPod, message: string): Promise<void>
}

/** So many Pods are bound at the same time, those aside that wait for volumes. */
const mostAtOnce = 32

export class Binder {
  readonly #options: BinderOptions
  readonly #all = new Set<Promise<void>>()
  readonly #writing = new Set<Promise<unknown>>()
  /** Ends what Pods wait for, by uid. */
  readonly #aborts = new Map<string, AbortController>()
  #stopped = false

  constructor(options: BinderOptions) {
    this.#options = options
  }

  bind(queued: QueuedPod, node: string, reservations: readonly Reservation[]): void {
    const binding = this.#bind(queued, node, reservations)
    this.#all.add(binding)
    void binding.finally(() => this.#all.delete(binding))
  }

  async #bind(queued: QueuedPod, node: string, reservations: readonly Reservation[]): Promise<void> {
    const { client, events, failed } = this.#options
    const { pod } = queued.info
    const { name, namespace, uid } = pod.metadata
    try {
      if (reservations.length > 0) await this.#prepare(queued, node, reservations)
      const metadata = { name, namespace, uid }
      const body = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: node } }
      const binding = client.subresource('binding').create({ metadata: { name, namespace } }, body as never)
      await this.#written(named('Bind plugin "DefaultBinder"', binding))
    } catch (error) {
      for (const reservation of reservations) reservation.release()
      if (!this.#stopped) await failed(queued, messageOf(error))
      return
    }
    const note = `Successfully assigned ${namespace}/${name} to ${node}`
    events.record({ regarding: pod, type: 'Normal', reason: 'Scheduled', action: 'Binding', note })
  }

  /** Tells where the Pod is going to be, and waits until it can be there. */
  async #prepare({ key, info }: QueuedPod, node: string, reservations: readonly Reservation[]): Promise<void> {
    const abort = new AbortController()
    this.#aborts.set(key, abort)
    try {
      // nobody depends on it
      await this.#options.writer.write(info.pod, { nominatedNodeName: node }).catch(() => {})
      for (const reservation of reservations)
        await named(`PreBind plugin ${JSON.stringify(reservation.plugin)}`, reservation.carryOut(abort.signal))
    } finally {
      this.#aborts.delete(key)
    }
  }

  async #written(write: Promise<unknown>): Promise<void> {
    this.#writing.add(write)
    try {
      await write
    } finally {
      this.#writing.delete(write)
    }
  }

  /** Resolves when another Pod can be bound. */
  async hasRoom(): Promise<void> {
    while (this.#writing.size >= mostAtOnce) await Promise.race([...this.#writing].map(write => write.catch(() => {})))
  }

  /** The Pod is being deleted, and waits for nothing any more. */
  abort(uid: string): void {
    this.#aborts.get(uid)?.abort()
  }

  stop(): void {
    this.#stopped = true
    for (const abort of this.#aborts.values()) abort.abort()
  }

  /** Resolves when no Pod is being bound. */
  async idle(): Promise<void> {
    await Promise.all(this.#all)
  }
}

async function named<T>(plugin: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(`running ${plugin}: ${messageOf(error)}`)
  }
}
