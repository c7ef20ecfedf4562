/** Creates and deletes the Pods of workloads, with the Events that tell of it. */
import type { Pod, PodTemplateSpec } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Draft, Informer, KubeClient, ResourceClient } from '../../client/stored-types.js'
import { timestamp } from '../../util/time.js'
import { controllerReference } from './owners.js'

/** The text of an error in Events and conditions. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the error says that the namespace is being deleted: nothing can be created there, and nobody needs to be told. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof StatusError && !!error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')

/** A Pod as the template has it, without name. */
export function podOf(template: PodTemplateSpec, owner: KubeObject): Draft<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {}
  const prefix = `${owner.metadata.name}-`
  return {
    metadata: {
      // a name that is too long for a Pod lets the server choose from what fits
      generateName: prefix.length > 253 ? owner.metadata.name : prefix,
      namespace: owner.metadata.namespace,
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerReference(owner)]
    },
    spec: structuredClone(template.spec)
  }
}

export class PodControl {
  readonly client: ResourceClient<Pod & KubeObject>
  readonly #informer: Informer<Pod>
  readonly #events: EventRecorder
  /** The uids of Pods whose deletion the informer has not seen yet. */
  readonly #deleted = new Set<string>()

  constructor(client: KubeClient, informer: Informer<Pod>, events: EventRecorder) {
    this.client = client.of('v1', 'Pod')
    this.#informer = informer
    this.#events = events
    informer.on('update', ({ metadata }) => metadata.deletionTimestamp && this.#deleted.delete(metadata.uid!))
    informer.on('delete', ({ metadata }) => this.#deleted.delete(metadata.uid!))
  }

  /** Whether the Pod is there, as far as its controller knows: not one that it has just deleted. */
  isThere = (pod: Pod): boolean => !this.#deleted.has(pod.metadata.uid!)

  async create(pod: Draft<Pod>, owner: KubeObject): Promise<Pod> {
    if (Object.keys(pod.metadata?.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels')
    try {
      const created = await this.add(pod)
      this.#events.normal(owner, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`)
      return created
    } catch (error) {
      if (!isNamespaceTerminating(error)) this.#events.warning(owner, 'FailedCreate', `Error creating: ${messageOf(error)}`)
      throw error
    }
  }

  /** The Pod as its controller knows it: one that has just been deleted ends from now on. */
  asKnown(pod: Pod, now: number): Pod {
    if (pod.metadata.deletionTimestamp || this.isThere(pod)) return pod
    return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: timestamp(now) } }
  }

  async delete(pod: Pod, owner: KubeObject): Promise<void> {
    try {
      if (await this.remove(pod)) this.#events.normal(owner, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
    } catch (error) {
      this.#events.warning(owner, 'FailedDelete', `Error deleting: ${messageOf(error)}`)
      throw new Error(`unable to delete pods: ${messageOf(error)}`)
    }
  }

  /** Deletes a Pod without an Event. Returns false for one that is gone already. */
  async remove(pod: Pod): Promise<boolean> {
    const { name, namespace, uid } = pod.metadata
    this.#deleted.add(uid!)
    try {
      await this.client.delete({ metadata: { name: name!, namespace } })
      return true
    } catch (error) {
      this.#deleted.delete(uid!)
      if (error instanceof StatusError && error.code === 404) return false
      throw error
    }
  }

  /** Creates a Pod without an Event. */
  async add(pod: Draft<Pod>): Promise<Pod> {
    const created = await this.client.create(pod)
    this.#informer.learn(created)
    return created
  }
}

/** Runs `action` so many times: once, then twice as many at a time, until one fails. Rejects with the first error. */
export async function slowStart(count: number, action: () => Promise<unknown>): Promise<void> {
  for (let done = 0, batch = 1; done < count; batch *= 2) {
    const size = Math.min(batch, count - done)
    const results = await Promise.allSettled(Array.from({ length: size }, action))
    const failed = results.find(result => result.status === 'rejected')
    if (failed) throw failed.reason
    done += size
  }
}
