import type { EndpointAddress, Service } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { notFound, serviceUnavailable } from '../../../apimachinery/status/status.js'
import type { Services } from '../../../registry/services.js'
import { queryOf } from '../../../transport/proxy/pass-on.js'
import { goQuote } from '../../../util/go-format.js'
import { proxiedPath } from '../../nodes/paths.js'
import { proxyTo } from '../../nodes/proxy.js'
import type { Implementation } from '../implementation.js'
import { parseProxyName } from '../proxy-name.js'

export const proxyToService: Implementation = {
  async connect({ resource, namespace, name: id, operation: { services } }, context) {
    const { scheme, name, port } = parseProxyName(id, 'service')
    const found = resource.get(namespace, name)
    let portName = port
    if (/^[-+]?\d+$/.test(port)) {
      if (!found) throw notFound({ group: '', resource: 'services' }, name)
      const declared = (resource.parse(found) as Service).spec.ports?.find(p => p.port === Number(port))
      if (!declared) throw serviceUnavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`)
      portName = declared.name ?? ''
    }
    const address = endpointOf(services, namespace, name, portName, id)
    const target = { scheme, ...address }
    const { workloads, bytesPerSecond } = services.connections
    return proxyTo(context, { dial: workloads, target, bytesPerSecond, path: proxiedPath(context), query: queryOf(context) })
  }
}

/** Chooses one of the Service's endpoints at random. Only addresses of Pods count: others could lead anywhere. */
function endpointOf({ registry, random }: Services, namespace: string, name: string, portName: string, id: string) {
  const endpoints = registry.of(refs.endpoints).read(namespace, name)
  // the error names the Service, because that is what the client asked for
  if (!endpoints) throw notFound({ group: '', resource: 'services' }, name)
  const subsets = endpoints.subsets ?? []
  if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`)
  for (const { addresses = [], ports = [] } of fromRandom(subsets, random.apart('proxy').fraction())) {
    for (const { port } of ports.filter(port => (port.name ?? '') === portName)) {
      for (const address of fromRandom(addresses, random.apart('proxy').fraction()))
        if (isOfPod(registry, namespace, address)) return { host: address.ip, port }
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(id)}`)
}

/** Yields all items, beginning with a random one. */
function* fromRandom<T>(items: readonly T[], fraction: number): Generator<T> {
  const first = Math.floor(fraction * items.length)
  for (let i = 0; i < items.length; i++) yield items[(first + i) % items.length]!
}

function isOfPod(registry: Services['registry'], namespace: string, { ip, targetRef }: EndpointAddress): boolean {
  if (targetRef?.namespace !== namespace) return false
  const pod = registry.of(refs.pods).read(namespace, targetRef.name ?? '')
  return pod?.status.podIPs?.some(podIP => podIP.ip === ip) ?? false
}
