/**
 * Learns what the other API servers over the same store serve: from the discovery documents of each server that has an identity Lease, when
 * the server appears and when it has started again (KEP-4020).
 */

import * as refs from '../../apimachinery/api/resources.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { Controller } from '../../controllers/controller.js'
import type { PeerAddress } from '../../controllers/server-objects/peer-endpoint.js'
import { identityLabel, leaseNamespace } from '../../controllers/server-objects/server-identity.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import { component, serverId } from '../../util/server-id.js'
import { readGroups } from '../aggregation/discovered-resources.js'
import { askRemote } from '../aggregation/remote-request.js'
import type { DiscoveredGroup } from '../endpoints/discovery-document.js'
import { ExcludedVersions } from './excluded-versions.js'
import type { AddressOf } from './peer-addresses.js'
import { type PeerConnections, passedOnHeader } from './peer-connections.js'
import type { PeerMetrics, Wanted } from './peer-metrics.js'

const timeoutMs = 5000
const maxBytes = 8 * 1024 * 1024

const documentForm = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
/** A server that does not know the profile says what it serves itself in any case. */
const accept = `${documentForm};profile=nopeer,${documentForm}`

const ownUser: UserInfo = { name: 'system:apiserver', uid: 'system:apiserver', groups: ['system:authenticated'] }

/** What one server serves. */
interface Served {
  /** The process that said so. */
  readonly holder: string
  /** All groups, the core group too. */
  readonly groups: readonly DiscoveredGroup[]
}

export interface PeerDiscoveryOptions {
  readonly services: Services
  readonly connections: PeerConnections
  readonly addressOf: AddressOf
  readonly metrics: PeerMetrics
  readonly log: Logger
}

export class PeerDiscovery {
  readonly #options: PeerDiscoveryOptions
  readonly ownId: string
  readonly excluded: ExcludedVersions
  readonly controller: Controller
  readonly #served = new Map<string, Served>()
  #generation = 0
  #byResource: Map<string, string[]> | undefined

  constructor(options: PeerDiscoveryOptions) {
    this.#options = options
    const { services, log } = options
    const { registry, clock, queues, hostName } = services
    this.ownId = serverId(hostName)
    this.excluded = new ExcludedVersions(registry, clock, () => this.#changed())
    this.controller = new Controller({
      name: 'peer-discovery',
      queue: 'peer-discovery-cache-sync',
      watches: [
        {
          resource: registry.of(refs.leases),
          // Leases are renewed often, and most of them are of other sorts
          keyOf: key => {
            const [namespace, name = ''] = key.split('/')
            if (namespace !== leaseNamespace || name === this.ownId) return undefined
            return this.#holderOf(name) === this.#served.get(name)?.holder ? undefined : name
          }
        }
      ],
      clock,
      queues,
      log,
      workers: 1,
      reconcile: server => this.#sync(server)
    })
  }

  /** Increases with every change. */
  get generation(): number {
    return this.#generation
  }

  /** Whether there are no other servers. */
  get isEmpty(): boolean {
    return this.#served.size === 0
  }

  /** Returns the names of the servers that serve a resource. */
  serversOf({ group, version, resource }: Wanted): readonly string[] {
    this.#byResource ??= this.#index()
    return this.#byResource.get(`${group}/${version}/${resource}`) ?? []
  }

  /** Returns the groups below /apis of each server, without the versions that this server alone may say anything of. */
  groups(): Map<string, readonly DiscoveredGroup[]> {
    const shown = new Map<string, readonly DiscoveredGroup[]>()
    for (const [server, { groups }] of this.#served)
      shown.set(
        server,
        groups.filter(({ metadata }) => metadata.name !== undefined).flatMap(group => this.#withoutExcluded(group))
      )
    return shown
  }

  #withoutExcluded(group: DiscoveredGroup): readonly DiscoveredGroup[] {
    const versions = group.versions.filter(({ version }) => !this.excluded.has(`${group.metadata.name ?? ''}/${version}`))
    if (versions.length === group.versions.length) return [group]
    return versions.length > 0 ? [{ ...group, versions }] : []
  }

  #index(): Map<string, string[]> {
    const servers = new Map<string, string[]>()
    for (const [server, { groups }] of this.#served)
      for (const { metadata, versions } of groups.flatMap(group => this.#withoutExcluded(group)))
        for (const { version, resources = [] } of versions)
          for (const { resource } of resources) {
            const key = `${metadata.name ?? ''}/${version}/${resource}`
            const known = servers.get(key)
            if (!known) servers.set(key, [server])
            else if (!known.includes(server)) known.push(server)
          }
    return servers
  }

  #changed(): void {
    this.#generation++
    this.#byResource = undefined
  }

  /** Returns the process that holds the identity Lease of a server; undefined when there is none. */
  #holderOf(server: string): string | undefined {
    const leases = this.#options.services.registry.of(refs.leases)
    if (leases.get(leaseNamespace, server)?.labels[identityLabel] !== component) return undefined
    return leases.read(leaseNamespace, server)?.spec.holderIdentity ?? undefined
  }

  async #sync(server: string): Promise<void> {
    const holder = this.#holderOf(server)
    if (holder === this.#served.get(server)?.holder) return
    if (holder === undefined) this.#served.delete(server)
    else this.#served.set(server, { holder, groups: await this.#ask(server) })
    this.#changed()
  }

  async #ask(server: string): Promise<DiscoveredGroup[]> {
    const { addressOf, metrics } = this.#options
    const address = await addressOf(server)
    if (!address) {
      metrics.syncFailed('hostport_resolution')
      throw new Error(`no address is known of the API server ${server}`)
    }
    try {
      return [...(await this.#read(address, '/api')), ...(await this.#read(address, '/apis'))]
    } catch (error) {
      metrics.syncFailed('fetch_discovery')
      throw error
    }
  }

  async #read(server: PeerAddress, path: string): Promise<DiscoveredGroup[]> {
    const { connections, metrics } = this.#options
    const headers = { accept, [passedOnHeader]: 'true' }
    const { status, body } = await askRemote(connections, { server, user: ownUser, path, headers, timeoutMs, maxBytes })
    metrics.rerouted(status)
    if (status !== 200) throw new Error(`discovery request failed with status: ${status}`)
    return readGroups(body)
  }
}
