/** Gives Pods addresses in the range of their Node. */
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { Informer } from '../../client/stored-types.js'
import { podRange } from '../nodes/pod-range.js'

const addressesOfNode = 254
const prefixOf = (range: string) => range.slice(0, range.lastIndexOf('.'))

export class PodAddresses {
  readonly #nodes: Informer<Node>
  readonly #withAddress: (address: string) => readonly Pod[]
  /** The Nodes whose range nobody else has chosen, in the order in which they were first asked for. */
  readonly #numbers = new Map<string, number>()
  /** The number of the address that each Node gave last. */
  readonly #last = new Map<string, number>()

  constructor(nodes: Informer<Node>, pods: Informer<Pod>) {
    this.#nodes = nodes
    this.#withAddress = pods.index(({ status }) => (status.podIP ? [status.podIP] : []))
  }

  /** A free address: the one after the last that was given, so that an address is not used again soon. */
  of({ spec }: Pod): string {
    const node = spec.nodeName!
    const base = this.#baseOf(node)
    let number = this.#last.get(node) ?? 0
    for (let tries = 0; tries < addressesOfNode; tries++) {
      number = (number % addressesOfNode) + 1
      if (this.#withAddress(`${base}.${number}`).length === 0) break
    }
    this.#last.set(node, number)
    return `${base}.${number}`
  }

  /** The first three bytes of the Node's range: that of its podCIDR, if it has one. */
  #baseOf(name: string): string {
    const cidr = this.#nodes.get(name)?.spec.podCIDR
    if (cidr?.includes('.')) return prefixOf(cidr)
    let number = this.#numbers.get(name)
    if (number === undefined) this.#numbers.set(name, (number = this.#numbers.size))
    return prefixOf(podRange(number))
  }
}
