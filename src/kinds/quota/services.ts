import type { Service } from '../../apimachinery/api/generated/core-v1.js'
import type { Evaluator } from './evaluator.js'

const names: ReadonlySet<string> = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers'])

export const serviceEvaluator: Evaluator = {
  matches: name => names.has(name),
  usage: (service: Service) => ({
    'count/services': '1',
    services: '1',
    'services.loadbalancers': service.spec.type === 'LoadBalancer' ? '1' : '0',
    'services.nodeports': String(nodePorts(service))
  }),
  inScope: () => false,
  isCharged: (_operation, subresource) => subresource === ''
}

/** The node ports that the Service will have: they are not allocated yet. */
function nodePorts({ spec }: Service): number {
  const ports = spec.ports ?? []
  if (spec.type === 'NodePort') return ports.length
  if (spec.type !== 'LoadBalancer') return 0
  return spec.allocateLoadBalancerNodePorts === false ? ports.filter(port => port.nodePort).length : ports.length
}
