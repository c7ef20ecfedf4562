import { badRequest } from '../../../apimachinery/status/status.js'
import { queryOf } from '../../../transport/proxy/pass-on.js'
import { isGlobalUnicast } from '../../nodes/allowed-addresses.js'
import { proxiedPath } from '../../nodes/paths.js'
import { proxyTo } from '../../nodes/proxy.js'
import type { Implementation } from '../implementation.js'
import { parseProxyName, portNumber } from '../proxy-name.js'
import { findPod } from './container.js'

const standardPorts = { http: 80, https: 443 } as const

export const proxyToPod: Implementation = {
  async connect(request, context) {
    const { scheme, name, port } = parseProxyName(request.name, 'pod')
    const { spec, status } = findPod(request, name)
    const host = status.podIPs?.[0]?.ip ?? status.podIP ?? ''
    if (!isGlobalUnicast(host)) throw badRequest('address not allowed')
    // the first port that a container declares
    const declared = spec.containers?.find(container => container.ports?.length)?.ports?.[0]?.containerPort
    const target = { scheme, host, port: port === '' ? (declared ?? standardPorts[scheme]) : portNumber(port) }
    const { workloads, bytesPerSecond } = request.operation.services.connections
    return proxyTo(context, { dial: workloads, target, bytesPerSecond, path: proxiedPath(context), query: queryOf(context) })
  }
}
