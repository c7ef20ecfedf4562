/**
 * Two servers on one store must not give the same address or node port to two Services. So each address has an IPAddress object.
 * The commit of the Service creates it, and the commit that gives up the address deletes it. All node ports are in one allocation,
 * which the same commits change. A kube-apiserver on the same store keeps both in the same form.
 */

import type { Service } from '../../apimachinery/api/generated/core-v1.js'
import type { IPAddress } from '../../apimachinery/api/generated/networking-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { emptyObject } from '../../apimachinery/fieldmanager/empty-object.js'
import { trackUpdate } from '../../apimachinery/fieldmanager/managed-fields.js'
import { isIP } from '../../apimachinery/validation/ip.js'
import type { Write } from '../../storage/contract.js'
import { timestamp } from '../../util/time.js'
import type { StrategyContext } from '../strategy-context.js'
import type { CompanionWrite } from '../write/companion-write.js'
import { addressLabels } from './addresses-of.js'
import { taken } from './service-network.js'

/** Returns the writes that claim the addresses and ports that a Service gains, and give up those that it loses. */
export function serviceClaims(
  service: Service | undefined,
  old: Service | undefined,
  context: StrategyContext
): CompanionWrite[] {
  const before = old ? taken(old) : new Set<string>()
  const after = service ? taken(service) : new Set<string>()
  const gained = [...after].filter(item => !before.has(item))
  const lost = [...before].filter(item => !after.has(item))
  const ports = (items: readonly string[]) => items.filter(item => !isIP(item)).map(Number)
  const { network, store } = context.services
  // one write for both, where all are committed together
  const shared = store.singleWrites
    ? [network.reallocation(ports(gained), []), network.reallocation([], ports(lost))]
    : [network.reallocation(ports(gained), ports(lost))]
  return [
    ...shared.filter(write => write !== undefined),
    ...gained.flatMap(item => (isIP(item) ? (claim(item, service!, context) ?? []) : [])),
    ...lost.flatMap(item => giveUp(item, old!, context) ?? [])
  ]
}

const givesUp = true

const addresses = ({ services: { registry } }: StrategyContext) => registry.ifServed(refs.ipAddresses)

function claim(item: string, { metadata }: Service, context: StrategyContext): Write | undefined {
  const resource = addresses(context)
  if (!resource) return undefined
  const version = resource.memoryVersion.name
  const type = resource.type(version)
  const object: IPAddress = {
    kind: 'IPAddress',
    apiVersion: resource.apiVersion(version),
    metadata: {
      name: item,
      uid: context.services.random.uuid(),
      creationTimestamp: timestamp(context.now),
      labels: addressLabels(item)
    },
    spec: { parentRef: { resource: 'services', namespace: metadata.namespace, name: metadata.name } }
  }
  const manager = { name: 'kube-apiserver', apiVersion: resource.apiVersion(version), subresource: '' }
  trackUpdate(type, emptyObject(type), object, manager, timestamp(context.now))
  return { key: resource.prefix + item, value: resource.form.encode(object), expected: 0 }
}

/** Returns undefined when an older version of this server has written no claim, or a user has deleted the IPAddress. */
function giveUp(item: string, { metadata }: Service, context: StrategyContext): CompanionWrite | undefined {
  const { network } = context.services
  if (!isIP(item)) return network.givesUpPort(item)
  const resource = addresses(context)
  const found = resource?.get('', item)
  if (!resource || !found) return undefined
  const { namespace, name } = (resource.parse(found) as IPAddress).spec.parentRef ?? {}
  return namespace === metadata.namespace && name === metadata.name
    ? { key: resource.prefix + item, value: undefined, expected: found.revision, givesUp }
    : undefined
}
