/** Secrets and ConfigMaps for which Pods wait: watched one by one, and only as long as a Pod waits for them. */
import type { ConfigMap, Secret } from '../../apimachinery/api/generated/core-v1.js'
import type { Informer, KubeClient } from '../../client/stored-types.js'
import type { ConfigReference } from './pod-needs.js'

type Config = Secret | ConfigMap
interface Wait {
  readonly informer: Informer<Config>
  readonly pods: Set<string>
}

export class AwaitedObjects {
  readonly #client: KubeClient
  readonly #changed: (pod: string) => void
  /** By kind, namespace and name of the object. */
  readonly #waits = new Map<string, Wait>()
  /** What each Pod waits for. */
  readonly #waiting = new Map<string, Set<string>>()

  /** `changed` is called with the key of a Pod when something has changed for which it waits. */
  constructor(client: KubeClient, changed: (pod: string) => void) {
    this.#client = client
    this.#changed = changed
  }

  find({ kind, name }: ConfigReference, namespace: string): Promise<Config | undefined> {
    return this.#client.of<Config & { metadata: object }>('v1', kind).find({ metadata: { name, namespace } })
  }

  /** Makes the Pod wait for these objects, and for no others. */
  wait(pod: string, namespace: string, references: readonly ConfigReference[]): void {
    const wanted = new Map(references.map(one => [`${one.kind} ${namespace}/${one.name}`, one]))
    for (const key of this.#waiting.get(pod) ?? []) if (!wanted.has(key)) this.#leave(pod, key)
    if (wanted.size === 0) return void this.#waiting.delete(pod)
    this.#waiting.set(pod, new Set(wanted.keys()))
    for (const [key, { kind, name }] of wanted) {
      let wait = this.#waits.get(key)
      if (!wait) this.#waits.set(key, (wait = this.#watch(kind, name, namespace)))
      wait.pods.add(pod)
    }
  }

  #watch(kind: string, name: string, namespace: string): Wait {
    const informer = this.#client
      .of<Config & { metadata: object }>('v1', kind)
      .informer({ namespace, fieldSelector: { 'metadata.name': name } })
    const pods = new Set<string>()
    const changed = () => {
      for (const pod of pods) this.#changed(pod)
    }
    informer.on('add', changed)
    informer.on('update', changed)
    return { informer, pods }
  }

  #leave(pod: string, key: string): void {
    const wait = this.#waits.get(key)
    wait?.pods.delete(pod)
    if (wait?.pods.size !== 0) return
    wait.informer.stop()
    this.#waits.delete(key)
  }

  stop(): void {
    for (const { informer } of this.#waits.values()) informer.stop()
    this.#waits.clear()
  }
}
