import { badRequest } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import { passStream } from '../../nodes/proxy.js'
import { asksForTunnel, tunnelled } from '../../nodes/tunnel.js'
import type { Implementation } from '../implementation.js'
import { findPod } from './container.js'
import { permitCreate } from './permission.js'
import { streamLocation } from './stream-location.js'

export const podPortForward: Implementation = {
  async connect(request, context) {
    // the Python client sends them in one parameter
    const ports = context.query.getAll('ports').flatMap(list => list.split(','))
    for (const port of ports) {
      const problem = !/^\d+$/.test(port) ? 'invalid syntax' : Number(port) > 65535 ? 'value out of range' : undefined
      if (problem !== undefined)
        throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(port)}: ${problem}`)
    }
    await permitCreate(request, context)
    const pod = findPod(request, request.name)
    const parameters: [string, string][] = ports.length > 0 ? [['port', ports.map(Number).join(',')]] : []
    const upstream = streamLocation(request, pod, ['portForward'], parameters)
    const { features, connections } = request.operation.services
    if (!features.enabled('PortForwardWebsockets')) return passStream(context, upstream)
    connections.counts.webSocket('portforward')
    if (asksForTunnel(context)) return tunnelled(context, upstream, connections.counts)
    return passStream(context, upstream)
  }
}
