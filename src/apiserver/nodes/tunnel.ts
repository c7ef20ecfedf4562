/** Port-forward over WebSocket (KEP-4006): the client's SPDY frames travel in binary messages, and go to the kubelet without them. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { StreamCounts } from '../../registry/services.js'
import { join } from '../../transport/proxy/join.js'
import {
  openUpgrade,
  switched,
  UnreachableError,
  type UpgradeChanges,
  WrongProtocolError
} from '../../transport/proxy/pass-on.js'
import type { Upstream } from '../../transport/proxy/upstream.js'
import { orPlainError } from './proxy.js'

const prefix = 'SPDY/3.1+'
const spdy = 'SPDY/3.1'

/** Returns the protocols inside of SPDY that a WebSocket client offers for a tunnel. */
const tunnelProtocols = ({ request }: RequestContext): string[] =>
  request.upgrade !== 'websocket'
    ? []
    : protocolsOf(request.headers['sec-websocket-protocol'])
        .filter(protocol => protocol.startsWith(prefix) && protocol.endsWith('.k8s.io'))
        .map(protocol => protocol.slice(prefix.length))

export const protocolsOf = (header: string | string[] | undefined): string[] =>
  [header ?? []].flat().flatMap(list => list.split(',').map(protocol => protocol.trim()))

export const asksForTunnel = (context: RequestContext): boolean => tunnelProtocols(context).length > 0

export async function tunnelled(context: RequestContext, upstream: Upstream, counts: StreamCounts): Promise<Response> {
  const protocols = tunnelProtocols(context)
  const changes: UpgradeChanges = {
    upgrade: spdy,
    without: ['sec-websocket-protocol', 'sec-websocket-key', 'sec-websocket-version', 'x-stream-protocol-version'],
    added: protocols.flatMap(protocol => ['X-Stream-Protocol-Version', protocol])
  }
  const opened = await orPlainError(
    openUpgrade(context, upstream, changes, 'POST').catch(error => {
      if (!(error instanceof WrongProtocolError)) throw error
      counts.tunnelled(500)
      throw new UnreachableError('unable to upgrade: missing upgrade headers in response')
    })
  )
  if (!('connection' in opened)) {
    counts.tunnelled(opened.status)
    return opened
  }
  const { head, connection } = opened
  const chosen = String(head.headers['x-stream-protocol-version'] ?? '').trim()
  return switched(head, {
    protocols: chosen === '' ? [] : [prefix + chosen],
    open(client) {
      counts.tunnelled(101)
      // SPDY has no text
      client.on('data', message => typeof message === 'string' && client.destroy())
      join(client, connection, upstream.bytesPerSecond)
    }
  })
}
