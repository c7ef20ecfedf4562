/**
 * Removes the addresses and node ports that are claimed for Services which do not have them. Where a commit has one write at most, a
 * claim comes before its Service, and goes after it: a server that dies, or a store that does not answer, leaves claims behind. In kube-apiserver,
 * which always writes so, two controllers repair them. Other stores take Service and claims together, so that there is nothing to repair.
 */
import type { Event } from '../apimachinery/api/generated/core-v1.js'
import type { IPAddress } from '../apimachinery/api/generated/networking-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import { StatusError } from '../apimachinery/status/status.js'
import { EventNames } from '../client/events/event-names.js'
import type { Client } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { microTime } from '../util/time.js'
import { Periodic } from './periodic.js'

const component = 'ipallocator-repair-controller'
/** Longer than a request may take, and its last write after that. */
const intervalMs = 90_000
/** In how many looks in a row a port must be nobody's, as in kube-apiserver: nothing tells a claim from another one of the same port. */
const looksOfPorts = 3

export function serviceClaimsRepair(services: Services, client: Client, log: Logger): Part {
  const { registry, network, store, clock, hostName } = services
  const addresses = registry.of(refs.ipAddresses)
  const names = new EventNames()
  /** The revisions of addresses, and the numbers of looks at ports, that were nobody's in the last look. */
  let lastAddresses = new Map<string, number>()
  let lastPorts = new Map<number, number>()

  const record = async (address: IPAddress, message: string): Promise<void> => {
    const { name = '', uid, resourceVersion } = address.metadata
    const now = clock.now()
    const event: Partial<Event> = {
      involvedObject: { kind: 'IPAddress', apiVersion: 'networking.k8s.io/v1', name, uid, resourceVersion },
      type: 'Warning',
      reason: 'IPAddressNotAllocated',
      action: 'IPAddressAllocation',
      message,
      source: {},
      eventTime: microTime(now),
      reportingComponent: component,
      reportingInstance: `${component}-${hostName}`
    }
    const metadata = { name: names.nameFor(name, now), namespace: 'default' }
    if (registry.serves(refs.events)) await client.create(refs.events, metadata.namespace, { ...event, metadata })
  }

  /** Returns false when somebody else has removed or changed it. */
  const remove = async (name: string, preconditions: { uid: string; resourceVersion: string }): Promise<boolean> => {
    try {
      return (await client.delete(addresses, '', name, { preconditions })) !== undefined
    } catch (error) {
      if (error instanceof StatusError && error.code === 409) return false
      throw error
    }
  }

  const removeAddresses = async (): Promise<void> => {
    await addresses.cache.load()
    const found = new Map<string, number>()
    for (const cached of [...addresses.cache.range('')]) {
      const { name, revision, uid } = cached
      if (cached.labels['ipaddress.kubernetes.io/managed-by'] !== 'ipallocator.k8s.io' || network.isUsed(name)) continue
      if (lastAddresses.get(name) !== revision) {
        found.set(name, revision)
        continue
      }
      const address: IPAddress = addresses.parse(cached)
      const { namespace = '', name: service } = address.spec.parentRef ?? {}
      if (!(await remove(name, { uid, resourceVersion: String(revision) }))) continue
      log.error(`IPAddress ${name} of Service ${namespace}/${service}, which did not have it, is removed`)
      await record(address, `IPAddress: ${name} for Service ${namespace}/${service} appears to have leaked: cleaning up`)
    }
    lastAddresses = found
  }

  const removePorts = async (): Promise<void> => {
    const found = new Map(network.unusedPorts().map(port => [port, (lastPorts.get(port) ?? 0) + 1]))
    const leaked = [...found].flatMap(([port, looks]) => (looks >= looksOfPorts ? [port] : []))
    lastPorts = found
    if (leaked.length === 0) return
    log.error(`node ports ${leaked.join(', ')}, which no Service has, are released`)
    // if another write came first, they are found again
    if (await network.releasePorts(leaked, store)) for (const port of leaked) found.delete(port)
  }

  return new Periodic({
    name: 'repair of claims of Services',
    async work() {
      // who is behind does not see the Services of the claims that it sees
      await store.currentRevision()
      await removeAddresses()
      await removePorts()
      return intervalMs
    },
    retryMs: intervalMs,
    clock,
    log
  })
}
