/** Tells a user of kubectl that nothing acts on a workload, where this server has neither controllers of workloads nor Nodes. */
import * as refs from '../../../apimachinery/api/resources.js'
import type { Services } from '../../../registry/services.js'
import { docsPage } from '../../../util/docs-page.js'
import type { EndpointRequest } from '../endpoint.js'

const workloads: ReadonlySet<string> = new Set([
  'apps/daemonsets',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
  '/pods',
  '/replicationcontrollers'
])

/**
 * Adds a Warning to the answer. Programs know what they have deployed: only people at kubectl are told, which names its command
 * (KEP-859).
 */
export function warnWhereNothingActs({ context, resource, server }: EndpointRequest): void {
  const { group, resource: plural } = resource
  if (!workloads.has(`${group}/${plural}`) || context.header('kubectl-command') === undefined) return
  if (isActedUpon(server.services)) return
  const how = `start the server with "binnacle simulate", or see ${docsPage('kwok')}`
  if (plural === 'pods') context.warn(`this Pod stays Pending, because there is no Node to run it: ${how}`)
  else
    context.warn(`nothing acts on this ${resource.kind.kind}, because there is neither a controller manager nor a Node: ${how}`)
}

/** Whether a Node has been seen, or a controller manager, whose leader has a Lease. */
function isActedUpon({ registry, connections }: Services): boolean {
  if (connections.simulatedKubelets.connect) return true
  const seen = registry.of(refs.nodes).cache.size > 0
  return seen || registry.of(refs.leases).get('kube-system', 'kube-controller-manager') !== undefined
}
