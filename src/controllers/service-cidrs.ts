/**
 * Says that ServiceCIDRs are ready, and keeps one that is being deleted as long as Services have addresses that no other one contains
 * (https://kubernetes.io/docs/reference/networking/virtual-ips/#multiple-service-cidrs).
 */
import type { ServiceCIDR } from '../apimachinery/api/generated/networking-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import type { Client } from '../registry/client.js'
import { AddressRange } from '../registry/network/address-range.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import { parsePrefix, samePrefix } from '../util/go-netip.js'
import type { Logger } from '../util/logger.js'
import { timestamp } from '../util/time.js'
import { Controller } from './controller.js'

const finalizer = 'networking.k8s.io/service-cidr-finalizer'

/** How long a ServiceCIDR stays after its deletion, because other servers may allocate from it until they learn of that. */
const graceMs = 10_000

/** The key in the queue that stands for all addresses. No object has this name. */
const anyAddress = '/'

const ready = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' }
const inUse = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR'
}

interface Clients {
  readonly finalizers: Client
  readonly status: Client
}

export function serviceCidrController({ registry, clock, queues }: Services, clients: Clients, log: Logger): Controller {
  const serviceCidrs = registry.of(refs.serviceCIDRs)
  const addresses = registry.of(refs.ipAddresses)
  /** The names of the ServiceCIDRs that are being deleted: only these depend on addresses and on other ServiceCIDRs. */
  const leaving = new Set<string>()
  const enqueueLeaving = () => {
    for (const name of leaving) controller.enqueue(name)
  }

  const setReady = async ({ metadata: { name = '' }, status }: ServiceCIDR, wanted: typeof ready): Promise<void> => {
    const present = status?.conditions?.find(({ type }) => type === 'Ready')
    const { reason, message } = wanted
    if (present?.status === wanted.status && (present.reason ?? '') === reason && present.message === message) return
    const condition = { type: 'Ready', ...wanted, lastTransitionTime: timestamp(clock.now()) }
    await clients.status.apply(serviceCidrs, '', { metadata: { name }, status: { conditions: [condition] } }, 'status')
  }

  const remove = async (leaver: ServiceCIDR): Promise<number | undefined> => {
    const { name = '', finalizers, deletionTimestamp } = leaver.metadata
    if (!mayGo(leaver, all(serviceCidrs), addresses)) {
      await setReady(leaver, inUse)
      return undefined
    }
    const remaining = Date.parse(deletionTimestamp!) + graceMs - clock.now()
    if (remaining > 0) return remaining
    if (!finalizers?.includes(finalizer)) return undefined
    await clients.finalizers.update<ServiceCIDR>(serviceCidrs, '', name, ({ metadata }) => {
      metadata.finalizers = metadata.finalizers?.filter(item => item !== finalizer)
    })
    return undefined
  }

  const controller: Controller = new Controller({
    name: 'service-cidr-controller',
    queue: 'ipaddresses',
    watches: [
      { resource: serviceCidrs, keyOf: key => key },
      // each Service that is created or deleted changes an address
      { resource: addresses, keyOf: () => (leaving.size > 0 ? anyAddress : undefined) }
    ],
    async reconcile(key) {
      if (key === anyAddress) {
        enqueueLeaving()
        return undefined
      }
      const found = serviceCidrs.get('', key)
      const object: ServiceCIDR | undefined = found && serviceCidrs.parse(found)
      if (object?.metadata.deletionTimestamp) {
        leaving.add(key)
        return remove(object)
      }
      leaving.delete(key)
      enqueueLeaving()
      if (!object) return undefined
      if (!object.metadata.finalizers?.includes(finalizer))
        await clients.finalizers.update<ServiceCIDR>(serviceCidrs, '', key, ({ metadata }) => {
          metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
        })
      await setReady(object, ready)
      return undefined
    },
    clock,
    queues,
    log
  })
  return controller
}

const all = (serviceCidrs: Resource): ServiceCIDR[] =>
  [...serviceCidrs.cache.range('')].map(object => serviceCidrs.parse(object) as ServiceCIDR)

/** Whether other ServiceCIDRs contain its ranges, or at least each of its addresses that a Service has. */
function mayGo({ metadata, spec }: ServiceCIDR, present: readonly ServiceCIDR[], addresses: Resource): boolean {
  const others = present.filter(other => other.metadata.name !== metadata.name).flatMap(other => other.spec.cidrs ?? [])
  const uncovered = (spec.cidrs ?? []).filter(cidr => !others.some(other => covers(other, cidr)))
  if (uncovered.length === 0) return true
  const ranges = rangesOf(uncovered)
  const otherRanges = rangesOf(others)
  for (const address of addresses.cache.range('')) {
    if (address.labels['ipaddress.kubernetes.io/managed-by'] !== 'ipallocator.k8s.io') continue
    const isIn = (range: AddressRange) => range.contains(address.name)
    if (ranges.some(isIn) && !otherRanges.some(isIn)) return false
  }
  return true
}

const rangesOf = (cidrs: readonly string[]) => cidrs.flatMap(cidr => AddressRange.parse(cidr) ?? [])

function covers(outer: string, inner: string): boolean {
  const [wide, narrow] = [parsePrefix(outer), parsePrefix(inner)]
  return wide.bits <= narrow.bits && samePrefix(wide.address, narrow.address, wide.bits)
}
