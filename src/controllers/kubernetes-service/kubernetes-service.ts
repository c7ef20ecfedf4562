/**
 * Keeps the Service `kubernetes` in the namespace `default`, and its Endpoints and EndpointSlice at the addresses of the servers that
 * are there (--endpoint-reconciler-type). Every server does so for itself.
 */
import type { Endpoints } from '../../apimachinery/api/generated/core-v1.js'
import type { EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Timer } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { correctedSubsets, hasContent, serviceName, skipMirror, sliceOf } from './endpoints.js'
import type { ServerAddresses } from './server-addresses.js'

export interface KubernetesServiceOptions {
  readonly services: Services
  readonly client: Client
  /** Finds the servers' addresses; undefined when the Endpoints are left alone. */
  readonly addresses: ServerAddresses | undefined
  /** The first address of the service range. */
  readonly clusterIP: string | undefined
  /** 0 for a Service of the type ClusterIP. */
  readonly nodePort: number
  /** The port that this server listens on. */
  readonly port: () => number
  readonly log: Logger
}

const intervalMs = 10_000
const namespace = 'default'

export class KubernetesService implements Part {
  readonly name = 'endpoints of the Service kubernetes'
  readonly #options: KubernetesServiceOptions
  #timer: Timer | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: KubernetesServiceOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { services, addresses } = this.#options
    if (addresses) {
      await services.registry.of(refs.endpoints).cache.load()
      await services.registry.of(refs.endpointSlices).cache.load()
      // an address may be that of a killed server, whose port differed
      if (await addresses.remove()) await this.#reconcile(addresses, true)
    }
    await this.#tick(true)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#round
    const { addresses, log } = this.#options
    if (!addresses) return
    try {
      await addresses.remove()
      await this.#reconcile(addresses, true)
    } catch (error) {
      log.error(`Unable to remove endpoints from kubernetes service: ${messageOf(error)}`)
    }
  }

  /** Writes the Service and its Endpoints. Never rejects. */
  async #tick(correctsPorts = false): Promise<void> {
    const { services, addresses, log } = this.#options
    try {
      await this.#ensureService()
      await addresses?.renew()
      if (addresses) await this.#reconcile(addresses, correctsPorts && !services.store.shared)
    } catch (error) {
      log.error(`unable to sync kubernetes service: ${messageOf(error)}`)
    }
    if (this.#stopped) return
    this.#timer = services.clock.setTimeout(() => {
      this.#round = this.#tick()
    }, intervalMs)
  }

  /** Creates the Service if it does not exist. */
  async #ensureService(): Promise<void> {
    const { services, client, clusterIP, nodePort, port } = this.#options
    const https = { name: 'https', protocol: 'TCP', port: 443, targetPort: port() }
    const spec = {
      ...(clusterIP ? { clusterIP } : {}),
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      ...(nodePort > 0 ? { type: 'NodePort', ports: [{ ...https, nodePort }] } : { type: 'ClusterIP', ports: [https] })
    }
    const labels = { component: 'apiserver', provider: 'kubernetes' }
    await client.ensure(services.registry.of(refs.services), namespace, {
      metadata: { name: serviceName, labels },
      spec
    } as never)
  }

  async #reconcile(addresses: ServerAddresses, correctsPorts: boolean): Promise<void> {
    const { services, client, port } = this.#options
    const resource = services.registry.of(refs.endpoints)
    const wanted = { addresses: await addresses.list(), port: port(), correctsPorts }
    const present = resource.read(namespace, serviceName)
    if (wanted.addresses.length === 0 && (!present || !this.#stopped)) return
    const correct = (endpoints: Endpoints) => {
      endpoints.metadata.labels = { ...endpoints.metadata.labels, [skipMirror]: 'true' }
      const subsets = correctedSubsets(endpoints, wanted)
      if (subsets) endpoints.subsets = subsets
    }
    if (!present) {
      const endpoints = { metadata: { name: serviceName } } as Endpoints
      correct(endpoints)
      await client.ensure(resource, namespace, endpoints as never)
    } else if (present.metadata.labels?.[skipMirror] !== 'true' || correctedSubsets(present, wanted)) {
      await client.update(resource, namespace, serviceName, correct)
    }
    await this.#reconcileSlice(resource.read(namespace, serviceName))
  }

  async #reconcileSlice(endpoints: Endpoints | undefined): Promise<void> {
    if (!endpoints) return
    const { services, client } = this.#options
    const resource = services.registry.of(refs.endpointSlices)
    const { labels, ...content } = sliceOf(endpoints)
    const slice = { metadata: { name: serviceName, labels }, ...content }
    const present = resource.read(namespace, serviceName)
    if (present && present.addressType === content.addressType) {
      if (hasContent(present, { labels, ...content })) return
      await client.update<EndpointSlice>(resource, namespace, serviceName, object => {
        Object.assign(object, content)
        object.metadata.labels = labels
      })
      return
    }
    // the family of a slice's addresses cannot change
    if (present) await client.delete(resource, namespace, serviceName)
    await client.ensure(resource, namespace, slice as never)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
