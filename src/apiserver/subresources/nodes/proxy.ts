import { badRequest } from '../../../apimachinery/status/status.js'
import { queryOf } from '../../../transport/proxy/pass-on.js'
import { proxyableAddress } from '../../nodes/allowed-addresses.js'
import { kubeletOf } from '../../nodes/kubelets.js'
import { proxiedPath } from '../../nodes/paths.js'
import { proxyTo } from '../../nodes/proxy.js'
import type { Implementation } from '../implementation.js'
import { parseProxyName, portNumber } from '../proxy-name.js'

export const proxyToNode: Implementation = {
  async connect({ name: id, operation: { services } }, context) {
    const { scheme, name, port } = parseProxyName(id, 'node')
    const kubelet = kubeletOf(services, name, 'nodes')
    const { kubelets, workloads, simulatedKubelets, bytesPerSecond } = services.connections
    // connect to the address that was looked up: the name could lead elsewhere a moment later
    const address = simulatedKubelets.serves?.(kubelet)
      ? kubelet.host
      : await proxyableAddress(kubelet.host).catch(error => {
          throw badRequest(error.message)
        })
    const isKubelet = port === '' || port === String(kubelet.port)
    const target = isKubelet ? { ...kubelet, address } : { scheme, host: kubelet.host, port: portNumber(port), address }
    const dial = isKubelet ? kubelets : workloads
    return proxyTo(context, { dial, target, bytesPerSecond, path: proxiedPath(context), query: queryOf(context) })
  }
}
