/**
 * Makes the addresses of Services and the IPAddresses agree again (service-claims.ts), with the rules and the Events of kube-apiserver: each address has an
 * IPAddress that names its Service, and no IPAddress of a Service is without it. kube-apiserver looks at what changes, this at everything from time to time.
 */
import type { Event, Service } from '../apimachinery/api/generated/core-v1.js'
import type { IPAddress } from '../apimachinery/api/generated/networking-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import { StatusError } from '../apimachinery/status/status.js'
import { ipFamily } from '../apimachinery/validation/ip.js'
import { EventNames } from '../client/events/event-names.js'
import type { Client } from '../registry/client.js'
import { addressesOf, addressLabels, managedByAllocator } from '../registry/network/addresses-of.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import { microTime } from '../util/time.js'
import { takingTurns } from '../util/turns.js'

const component = 'ipallocator-repair-controller'

interface Told {
  readonly reason: string
  readonly action: 'ClusterIPAllocation' | 'IPAddressAllocation'
  readonly message: string
}

/** Returns what looks at the addresses once. */
export function addressRepair(services: Services, client: Client, log: Logger): () => Promise<void> {
  const { registry, network, clock, hostName } = services
  const addresses = registry.of(refs.ipAddresses)
  const all = registry.of(refs.services)
  const names = new EventNames()
  /** The revisions of IPAddresses that belonged to nobody in the last look. */
  let lastLeaked = new Map<string, number>()
  /** What the last look found, and nobody but a user can repair. It is told once. */
  let lastBroken = new Set<string>()

  const tell = async (regarding: Service | IPAddress, { reason, action, message }: Told): Promise<void> => {
    log.error(message)
    if (!registry.serves(refs.events)) return
    const isAddress = 'parentRef' in regarding.spec
    const { name = '', namespace, uid, resourceVersion } = regarding.metadata
    const now = clock.now()
    const event: Partial<Event> = {
      involvedObject: isAddress
        ? { kind: 'IPAddress', apiVersion: 'networking.k8s.io/v1', name, uid, resourceVersion }
        : { kind: 'Service', apiVersion: 'v1', namespace, name, uid, resourceVersion },
      type: 'Warning',
      reason,
      action,
      message,
      source: {},
      eventTime: microTime(now),
      reportingComponent: component,
      reportingInstance: `${component}-${hostName}`
    }
    const metadata = { name: names.nameFor(name, now), namespace: namespace ?? 'default' }
    try {
      await client.create(refs.events, metadata.namespace, { ...event, metadata })
    } catch (error) {
      // a namespace that ends takes no Events
      if (!(error instanceof StatusError)) throw error
    }
  }

  /** Returns false when somebody else has removed or changed it. */
  const remove = async ({ metadata: { name = '', uid = '', resourceVersion = '' } }: IPAddress): Promise<boolean> => {
    try {
      return (await client.delete(addresses, '', name, { preconditions: { uid, resourceVersion } })) !== undefined
    } catch (error) {
      if (error instanceof StatusError && error.code === 409) return false
      throw error
    }
  }

  /** Returns false when somebody else has done so. */
  const create = (name: string, { metadata }: Service): Promise<boolean> =>
    client.ensure(addresses, '', {
      metadata: { name, labels: addressLabels(name) },
      spec: { parentRef: { resource: 'services', namespace: metadata.namespace, name: metadata.name } }
    } as never)

  const find = (namespace = '', name = ''): Service | undefined => {
    const cached = all.get(namespace, name)
    return cached && all.parse(cached)
  }

  const lookAtService = async (service: Service, broken: Set<string>): Promise<void> => {
    const { namespace, name, uid } = service.metadata
    for (const ip of addressesOf(service)) {
      const family = ipFamily(ip)
      const told = (message: string, reason = 'ClusterIPNotAllocated'): Told => ({
        reason,
        action: 'ClusterIPAllocation',
        message
      })
      const tellOnce = async (what: Told): Promise<void> => {
        const key = `${what.reason}/${uid}/${ip}`
        broken.add(key)
        if (!lastBroken.has(key)) await tell(service, what)
      }
      if (!network.isInRange(ip)) {
        const message = `Cluster IP [${family}]: ${ip} is not within any configured Service CIDR; please recreate service`
        await tellOnce(told(message, 'ClusterIPOutOfRange'))
        continue
      }
      const cached = addresses.get('', ip)
      if (!cached) {
        if (await create(ip, service)) await tell(service, told(`Cluster IP [${family}]: ${ip} is not allocated; repairing`))
        continue
      }
      const address: IPAddress = addresses.parse(cached)
      const { parentRef } = address.spec
      const referred = isService(parentRef) ? find(parentRef?.namespace, parentRef?.name) : undefined
      if (!referred) {
        const message = `the ClusterIP [${family}]: ${ip} for Service ${namespace}/${name} has a wrong reference; repairing`
        if ((await remove(address)) && (await create(ip, service))) await tell(service, told(message))
        continue
      }
      if (referred.metadata.uid !== uid && addressesOf(referred).includes(ip)) {
        const message = `Cluster IP [${family}]:${ip} was assigned to multiple services; please recreate service`
        await tellOnce(told(message, 'ClusterIPAlreadyAllocated'))
      }
      const { labels = {} } = address.metadata
      const wanted = Object.entries(addressLabels(ip))
      if (!wanted.every(([label, value]) => labels[label] === value) && (await remove(address))) await create(ip, service)
    }
  }

  /** Says what is wrong with an IPAddress that has been so in the last look, too: a request may be about to write its Service. */
  const wrongWith = ({ metadata: { name = '' }, spec: { parentRef } }: IPAddress): Told | undefined => {
    const told = (message: string, reason = 'IPAddressNotAllocated'): Told => ({ reason, action: 'IPAddressAllocation', message })
    if (!isService(parentRef)) {
      const { group = '', resource = '', namespace = '', name: parent = '' } = parentRef ?? {}
      const shown = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${parent},}`
      return told(`IPAddress ${name} appears to have been modified, not referencing a Service ${shown}: cleaning up`)
    }
    const { namespace = '', name: parent = '' } = parentRef ?? {}
    const service = find(namespace, parent)
    if (service && addressesOf(service).includes(name)) return undefined
    if (service)
      return told(
        `IPAddress: ${name} for Service ${namespace}/${parent} has a wrong reference; cleaning up`,
        'IPAddressWrongReference'
      )
    return told(`IPAddress: ${name} for Service ${namespace}/${parent} appears to have leaked: cleaning up`)
  }

  return async () => {
    await Promise.all([all.cache.load(), addresses.cache.load()])
    const turn = takingTurns()
    const broken = new Set<string>()
    for (const { namespace, name } of [...all.cache.range('')]) {
      await turn()
      const service = find(namespace, name)
      if (service) await lookAtService(service, broken)
    }
    lastBroken = broken

    const leaked = new Map<string, number>()
    for (const cached of [...addresses.cache.range('')]) {
      await turn()
      const { name, revision } = cached
      if (cached.labels[managedByAllocator.label] !== managedByAllocator.value) continue
      const address: IPAddress = addresses.parse(cached)
      const wrong = wrongWith(address)
      if (!wrong) continue
      if (lastLeaked.get(name) !== revision) leaked.set(name, revision)
      else if (await remove(address)) await tell(address, wrong)
    }
    lastLeaked = leaked
  }
}

const isService = (ref: IPAddress['spec']['parentRef']): boolean => (ref?.group ?? '') === '' && ref?.resource === 'services'
