/**
 * Keeps what the servers of APIServices say about their resources: asked when an APIService changes and every minute, in aggregated
 * form, or for each group version where a server does not know that form (KEP-3352).
 */
import * as refs from '../../apimachinery/api/resources.js'
import { Controller } from '../../controllers/controller.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { DiscoveredResource } from '../endpoints/discovery-document.js'
import type { ApiServiceTable, RemoteServer, RemoteVersion } from './api-service-table.js'
import { readAggregated, readLegacy } from './discovered-resources.js'
import type { RemoteConnections } from './remote-connections.js'
import { aggregatorUser, askRemote, type RemoteAnswer } from './remote-request.js'

export interface Discovered {
  /** Undefined when nothing is known. */
  readonly resources: readonly DiscoveredResource[] | undefined
  readonly freshness: 'Current' | 'Stale'
}

/** What a server has said about all of its groups. */
interface Whole {
  readonly resources: ReadonlyMap<string, readonly DiscoveredResource[]>
  readonly etag: string | undefined
  /** When it was asked, or earlier: a time of performance.now(). */
  readonly askedAt: number
}

const refreshMs = 60_000
const firstRetryMs = 500
const timeoutMs = 5000
const maxBytes = 8 * 1024 * 1024
const accept = ['v2', 'v2beta1']
  .map(version => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',')

const keyOf = ({ namespace, name, port }: RemoteServer): string => `${namespace}/${name}:${port}`

export interface RemoteDiscoveryOptions {
  readonly services: Services
  readonly table: ApiServiceTable
  readonly connections: RemoteConnections
  readonly log: Logger
}

export class RemoteDiscovery {
  readonly #options: RemoteDiscoveryOptions
  readonly controller: Controller
  /** What is known, by the name of the APIService. */
  readonly #found = new Map<string, Discovered>()
  readonly #whole = new Map<string, Whole>()
  /** When an APIService last changed. */
  readonly #changedAt = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #generation = 0

  constructor(options: RemoteDiscoveryOptions) {
    this.#options = options
    const { services, log } = options
    this.controller = new Controller({
      name: 'apiservice-discovery',
      queue: 'discovery-manager',
      watches: [
        {
          resource: services.registry.of(refs.apiServices),
          keyOf: name => {
            // the many APIServices of this server itself cost nothing
            if (!options.table.remote(name) && !this.#found.has(name)) return undefined
            this.#changedAt.set(name, performance.now())
            return name
          }
        }
      ],
      clock: services.clock,
      queues: services.queues,
      log,
      reconcile: name => this.#sync(name)
    })
  }

  /** Increases with every change. */
  get generation(): number {
    return this.#generation
  }

  /** Calls `listener` after changes, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #changed(): void {
    this.#generation++
    for (const listener of this.#listeners) listener()
  }

  /** Returns what is known of a group version; undefined before it has been asked for. */
  of(name: string): Discovered | undefined {
    return this.#found.get(name)
  }

  async #sync(name: string): Promise<number | undefined> {
    const remote = this.#options.table.remote(name)
    if (!remote) {
      this.#forget(name)
      return undefined
    }
    try {
      const resources = await this.#ask(remote)
      this.#set(name, { resources, freshness: 'Current' })
      this.#failures.delete(name)
      // what was asked before this time is asked for again
      this.#changedAt.set(name, performance.now())
      return refreshMs
    } catch {
      this.#set(name, { resources: undefined, freshness: 'Stale' })
      const failures = (this.#failures.get(name) ?? 0) + 1
      this.#failures.set(name, failures)
      return Math.min(refreshMs, firstRetryMs * 2 ** Math.min(failures - 1, 10))
    }
  }

  #set(name: string, found: Discovered): void {
    if (!this.#options.table.remote(name)) return this.#forget(name)
    if (JSON.stringify(this.#found.get(name)) === JSON.stringify(found)) return
    this.#found.set(name, found)
    this.#changed()
  }

  #forget(name: string): void {
    this.#changedAt.delete(name)
    this.#failures.delete(name)
    if (this.#found.delete(name)) this.#changed()
    const used = new Set([...this.#options.table.all()].map(({ server }) => keyOf(server)))
    for (const key of this.#whole.keys()) if (!used.has(key)) this.#whole.delete(key)
  }

  async #ask({ name, group, version, server }: RemoteVersion): Promise<readonly DiscoveredResource[] | undefined> {
    const key = keyOf(server)
    const known = this.#whole.get(key)
    const groupVersion = `${group}/${version}`
    if (known && known.askedAt > (this.#changedAt.get(name) ?? 0)) return known.resources.get(groupVersion)
    const askedAt = performance.now()
    const headers = { accept, ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }) }
    const answer = await this.#get(server, '/apis', headers)
    if (answer.status === 304 && known) {
      this.#whole.set(key, { ...known, askedAt })
      return known.resources.get(groupVersion)
    }
    if (answer.status === 503) throw new Error('service unavailable')
    if (answer.status === 200 && isAggregated(answer)) {
      const resources = readAggregated(answer.body)
      const { etag } = answer.headers
      this.#whole.set(key, { resources, etag: typeof etag === 'string' ? etag : undefined, askedAt })
      return resources.get(groupVersion)
    }
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const legacy = await this.#get(server, path, { accept: 'application/json' })
    if (legacy.status !== 200) throw new Error(`failed to download legacy discovery for ${path}: ${legacy.status}`)
    return readLegacy(legacy.body)
  }

  #get(server: RemoteServer, path: string, headers: Readonly<Record<string, string>>): Promise<RemoteAnswer> {
    return askRemote(this.#options.connections, { server, user: aggregatorUser, path, headers, timeoutMs, maxBytes })
  }
}

function isAggregated({ headers }: RemoteAnswer): boolean {
  const [type, ...parameters] = String(headers['content-type'] ?? '')
    .split(';')
    .map(part => part.trim())
  const has = (parameter: string) => parameters.includes(parameter)
  return (
    type === 'application/json' &&
    has('g=apidiscovery.k8s.io') &&
    (has('v=v2') || has('v=v2beta1')) &&
    has('as=APIGroupDiscoveryList')
  )
}
