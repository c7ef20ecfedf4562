/** Finds the kubelet of a Node: https://kubernetes.io/docs/concepts/architecture/control-plane-node-communication/ */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { notFound, plainError } from '../../apimachinery/status/status.js'
import type { Services } from '../../registry/services.js'
import type { DialTarget } from '../../transport/proxy/dial-target.js'

const kubeletPort = 10250

/** `what` is the resource that the 404 names: kube-apiserver names that of the request. */
export function kubeletOf({ registry, connections }: Services, name: string, what: 'nodes' | 'pods'): DialTarget {
  const nodes = registry.of(refs.nodes)
  const found = nodes.get('', name)
  if (!found) throw notFound({ group: '', resource: what }, name)
  const { status }: Node = nodes.parse(found)
  const addresses = status.addresses ?? []
  for (const type of connections.addressTypes) {
    const address = addresses.find(address => address.type === type)
    if (address) return { scheme: 'https', host: address.address, port: portOf(status) }
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ')
  throw plainError(`no preferred addresses found; known addresses: [${known}]`)
}

function portOf({ daemonEndpoints }: Node['status']): number {
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0
  return port > 0 ? port : kubeletPort
}
