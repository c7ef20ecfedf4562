/**
 * Passes requests for resources that this server does not serve on to an API server over the same store that does: during an upgrade, the
 * servers of a cluster serve different resources (KEP-4020, Mixed Version Proxy).
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { RequestInfo } from '../../apimachinery/request/request-info.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { serviceUnavailable } from '../../apimachinery/status/status.js'
import type { Randomness } from '../../util/randomness.js'
import { passOnForUser } from '../aggregation/pass-on-for-user.js'
import type { AddressOf } from './peer-addresses.js'
import { type PeerConnections, passedOnHeader } from './peer-connections.js'
import type { PeerDiscovery } from './peer-discovery.js'
import type { PeerMetrics } from './peer-metrics.js'

export interface MixedVersionProxyOptions {
  readonly discovery: PeerDiscovery
  readonly connections: PeerConnections
  readonly addressOf: AddressOf
  readonly metrics: PeerMetrics
  readonly random: Randomness
  /** Whether this server serves the resource of a request, itself or through an extension API server. */
  readonly serves: (info: RequestInfo) => boolean
}

export function mixedVersionProxy(options: MixedVersionProxyOptions): Stage {
  const { discovery, serves } = options
  return {
    name: 'mixed version proxy',
    why: 'passes requests for resources that only other API servers serve on to one of them',
    handle(context, next) {
      const { info } = context
      if (discovery.isEmpty || !info.isResourceRequest || serves(info)) return next(context)
      if (context.header(passedOnHeader) === 'true') return next(context)
      const servers = discovery.serversOf(info)
      return servers.length === 0 ? next(context) : passOnToOne(context, servers, options)
    }
  }
}

async function passOnToOne(
  context: RequestContext,
  servers: readonly string[],
  { connections, addressOf, metrics, random }: MixedVersionProxyOptions
): Promise<Response> {
  const { info } = context
  // a server that has ended has no address any more; one whose address cannot be read counts as such
  const found = await Promise.all(servers.map(server => addressOf(server).catch(() => undefined)))
  const addresses = found.filter(address => address !== undefined)
  if (addresses.length === 0) {
    metrics.hasNoAddress(info)
    throw serviceUnavailable('Error getting ip and port info of the remote server while proxying')
  }
  const address = addresses[Math.floor(random.fraction() * addresses.length)]!
  const headers = [passedOnHeader, 'true']
  const response = await passOnForUser(context, connections.reach(address), { headers })
  metrics.rerouted(response.status, info)
  return response
}
