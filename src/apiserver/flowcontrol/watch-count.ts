/** Counts watches by what they watch: each of them makes a write more work. */
import type { RequestInfo } from '../../apimachinery/request/request-info.js'

/** A watcher that asks for one value of an indexed field is shown no other objects, so writes pay only for those without a value. */
const indexedFields: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']])

type Watched = Pick<RequestInfo, 'group' | 'resource' | 'namespace' | 'name' | 'fieldSelector'>

export class WatchCount {
  readonly #counts = new Map<string, number>()

  /** Counts a watch until the returned function is called. */
  add(info: Watched): () => void {
    if (asksForOneValue(info)) return () => {}
    const key = keyOf(info, info.namespace, info.name)
    this.#change(key, 1)
    return () => this.#change(key, -1)
  }

  #change(key: string, by: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }

  /** The watches that a write may concern: of the whole resource, of its namespace, of its object. */
  interestedIn(info: Omit<Watched, 'fieldSelector'>): number {
    if (this.#counts.size === 0) return 0
    const { namespace, name } = info
    let count = this.#counts.get(keyOf(info, '', '')) ?? 0
    if (namespace !== '') count += this.#counts.get(keyOf(info, namespace, '')) ?? 0
    if (name !== '') count += this.#counts.get(keyOf(info, namespace, name)) ?? 0
    return count
  }
}

const keyOf = ({ group, resource }: Pick<Watched, 'group' | 'resource'>, namespace: string, name: string) =>
  `${group}/${resource}/${namespace}/${name}`

function asksForOneValue({ resource, fieldSelector }: Watched): boolean {
  const field = indexedFields.get(resource)
  // the endpoint refuses a selector that cannot be read
  const required = field !== undefined && fieldSelector?.readable?.find(r => r.field === field && r.operator === '=')
  return required !== undefined && required !== false && required.value !== ''
}
