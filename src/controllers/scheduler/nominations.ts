/** Pods that have made room for themselves on a Node by preemption, and wait for it. */
import type { PodInfo } from './pod-info.js'

export class Nominations {
  readonly #byNode = new Map<string, Map<string, PodInfo>>()
  readonly #nodes = new Map<string, string>()

  /** Takes note that the Pod waits for the Node; for none, when the name is empty. */
  set(info: PodInfo, node: string): void {
    this.remove(info.uid)
    if (node === '') return
    this.#nodes.set(info.uid, node)
    const pods = this.#byNode.get(node)
    if (pods) pods.set(info.uid, info)
    else this.#byNode.set(node, new Map([[info.uid, info]]))
  }

  /** Takes over a change of the Pod. A nomination that its status does not show yet stays. */
  update(info: PodInfo): void {
    this.set(info, info.pod.status.nominatedNodeName || (this.nodeOf(info.uid) ?? ''))
  }

  remove(uid: string): void {
    const node = this.#nodes.get(uid)
    if (node === undefined) return
    this.#nodes.delete(uid)
    const pods = this.#byNode.get(node)
    pods?.delete(uid)
    if (pods?.size === 0) this.#byNode.delete(node)
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodes.get(uid)
  }

  /** The Pods that wait for a Node. */
  of(node: string): Iterable<PodInfo> {
    return this.#byNode.get(node)?.values() ?? []
  }
}
