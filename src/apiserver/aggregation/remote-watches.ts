/** Watches all resources on extension API servers that can be watched and whose objects can be deleted. */
import type { RemoteDependent, RemoteFollower } from '../../controllers/remote-content.js'
import type { Clock } from '../../util/clock.js'
import type { ApiServiceTable } from './api-service-table.js'
import { preferredResources, type RemoteResource } from './preferred-resources.js'
import type { RemoteDiscovery } from './remote-discovery.js'
import type { RemoteObjects } from './remote-objects.js'
import { type RemoteMetadata, RemoteWatch, type Room } from './remote-watch.js'

/** How many resources are watched, because each watch has a connection. */
const maxWatches = 500
/** How many characters of objects with owners all watches keep. */
const maxHeld = 256 * 1024 * 1024
const verbs = ['delete', 'list', 'watch']

export interface RemoteWatchesOptions {
  readonly table: ApiServiceTable
  readonly discovery: RemoteDiscovery
  readonly objects: RemoteObjects
  readonly clock: Clock
  readonly follower: RemoteFollower
  dependentOf(of: RemoteResource, metadata: RemoteMetadata): RemoteDependent
}

/** Names a resource, whatever its version. */
export const keyOf = ({ remote: { group }, resource: { resource } }: RemoteResource): string => `${resource}.${group}`

export class RemoteWatches {
  readonly #options: RemoteWatchesOptions
  readonly #watches = new Map<string, { readonly of: RemoteResource; readonly watch: RemoteWatch }>()
  readonly #room: Room = { left: maxHeld }
  readonly #unsubscribe: () => void

  constructor(options: RemoteWatchesOptions) {
    this.#options = options
    // discovery follows every change of an APIService
    this.#unsubscribe = options.discovery.onChange(() => this.#update())
    this.#update()
  }

  isWatching(key: string): boolean {
    return this.#watches.get(key)?.watch.isWatching ?? false
  }

  close(): void {
    this.#unsubscribe()
    for (const key of [...this.#watches.keys()]) this.#end(key)
  }

  #update(): void {
    const wanted = new Map<string, RemoteResource>()
    for (const of of preferredResources(this.#options.table, this.#options.discovery))
      if (wanted.size < maxWatches && verbs.every(verb => of.resource.verbs.includes(verb))) wanted.set(keyOf(of), of)
    for (const [key, { of }] of this.#watches) if (!isSame(of, wanted.get(key))) this.#end(key)
    for (const [key, of] of wanted) if (!this.#watches.has(key)) this.#watches.set(key, { of, watch: this.#begin(of) })
  }

  #begin(of: RemoteResource): RemoteWatch {
    const { objects, clock, follower, dependentOf } = this.#options
    return new RemoteWatch({
      list: signal => objects.list(of, signal),
      watch: (version, seconds, signal) => objects.watch(of, version, seconds, signal),
      clock,
      changed: metadata => follower.changed(dependentOf(of, metadata)),
      gone: uid => follower.gone(uid),
      listed: () => follower.missed(),
      room: this.#room
    })
  }

  #end(key: string): void {
    const { watch } = this.#watches.get(key)!
    this.#watches.delete(key)
    for (const uid of watch.close()) this.#options.follower.forgotten(uid)
  }
}

const isSame = (one: RemoteResource, other: RemoteResource | undefined): boolean =>
  other !== undefined &&
  one.remote.version === other.remote.version &&
  one.remote.spec === other.remote.spec &&
  one.resource.scope === other.resource.scope
