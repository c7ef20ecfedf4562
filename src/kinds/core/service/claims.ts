/**
 * What keeps two servers from giving one address or node port to two Services: an address has its IPAddress object, made in the
 * same commit as the Service and deleted in the one that gives it up, and node ports stand in one allocation for all Services that
 * the same commits change. Both are as kube-apiserver has them, which may share the store.
 */
import type { Service } from '../../../api/generated/core-v1.js'
import type { IPAddress } from '../../../api/generated/networking-v1.js'
import { emptyObject } from '../../../fieldmanager/empty-object.js'
import { trackUpdate } from '../../../fieldmanager/managed-fields.js'
import { taken } from '../../../registry/network/service-network.js'
import type { StrategyContext } from '../../../registry/strategy-context.js'
import type { Write } from '../../../storage/contract.js'
import { timestamp } from '../../../util/time.js'
import { ipFamily, isIP } from '../../../validation/ip.js'

/** The writes that go with one of a Service. */
export function claims(service: Service | undefined, old: Service | undefined, context: StrategyContext): Write[] {
  const before = old ? taken(old) : new Set<string>()
  const after = service ? taken(service) : new Set<string>()
  const gained = [...after].filter(item => !before.has(item))
  const lost = [...before].filter(item => !after.has(item))
  const ports = (items: readonly string[]) => items.filter(item => !isIP(item)).map(Number)
  const shared = context.services.network.reallocation(ports(gained), ports(lost))
  return [
    ...(shared ? [shared] : []),
    ...gained.flatMap(item => (isIP(item) ? (claim(item, service!, context) ?? []) : [])),
    ...lost.flatMap(item => giveUp(item, old!, context) ?? [])
  ]
}

const addresses = ({ services: { registry } }: StrategyContext) =>
  registry.has('networking.k8s.io', 'ipaddresses') ? registry.resource('networking.k8s.io', 'ipaddresses') : undefined

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
      labels: {
        'ipaddress.kubernetes.io/ip-family': ipFamily(item),
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io'
      }
    },
    spec: { parentRef: { resource: 'services', namespace: metadata.namespace, name: metadata.name } }
  }
  const manager = { name: 'kube-apiserver', apiVersion: resource.apiVersion(version), subresource: '' }
  trackUpdate(type, emptyObject(type), object, manager, timestamp(context.now))
  return { key: resource.prefix + item, value: resource.form.encode(object), expected: 0 }
}

/** Nothing to give up where an older version of this server claimed nothing, or a user has deleted the IPAddress. */
function giveUp(item: string, { metadata }: Service, context: StrategyContext): Write | undefined {
  const { network } = context.services
  if (!isIP(item)) return network.isPortClaimed(item) ? { key: network.portKey(item), value: undefined } : undefined
  const resource = addresses(context)
  const found = resource?.get('', item)
  if (!resource || !found) return undefined
  const { namespace, name } = (resource.parse(found) as IPAddress).spec.parentRef ?? {}
  return namespace === metadata.namespace && name === metadata.name
    ? { key: resource.prefix + item, value: undefined, expected: found.revision }
    : undefined
}
