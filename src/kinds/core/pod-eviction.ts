/** Eviction: deletion as far as disruption budgets allow (https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/). */
import { AdmissionChain } from '../../admission/admission.js'
import type { Pod } from '../../api/generated/core-v1.js'
import type { DeleteOptions } from '../../api/generated/meta-v1.js'
import type { Eviction, PodDisruptionBudget } from '../../api/generated/policy-v1.js'
import { deleteObject } from '../../registry/delete.js'
import { modify } from '../../registry/modify.js'
import { Operation } from '../../registry/operation.js'
import type { SubresourceDefinition, SubresourceRequest } from '../../registry/subresource.js'
import { update } from '../../registry/update.js'
import { labelSelectorMatcher } from '../../selectors/labels.js'
import { badRequest, forbidden, internalError, notFound, success, tooManyRequests } from '../../server/status.js'
import { cloneJson } from '../../util/json.js'
import { timestamp } from '../../util/time.js'

const maxDisruptedPods = 2000
const unprocessedRetrySeconds = 10

export const podEviction: SubresourceDefinition = {
  kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
  type: 'policy.v1.Eviction',
  anyVersion: true,
  verbs: ['create'],
  async create(request, eviction: Eviction) {
    if (eviction.metadata.name !== request.name) throw badRequest('name in URL does not match name in Eviction object')
    const { resource, namespace, name } = request
    const found = resource.get(namespace, name)
    if (!found) throw notFound({ group: '', resource: 'pods' }, name)
    const pod: Pod = resource.parse(found)
    const options: Partial<DeleteOptions> = eviction.deleteOptions ?? {}
    const operation = operationOn(request, resource, options.dryRun?.includes('All') ?? false)
    if (!goesAnyway(pod)) await askBudget(request, pod, operation.dryRun)
    if (!pod.metadata.deletionTimestamp && !operation.dryRun && options.preconditions === undefined)
      await markAsDisrupted(operation, pod)
    await deleteObject(operation, name, options as Parameters<typeof deleteObject>[2])
    return success(undefined, 201)
  }
}

/** What the server does on the way is no request of its own: it passes no admission. */
function operationOn(
  { operation, namespace }: SubresourceRequest,
  resource: SubresourceRequest['resource'],
  dryRun: boolean
): Operation {
  const version = resource.memoryVersion.name
  const manager = operation.manager.name
  return new Operation(
    { resource, version, namespace, user: operation.user, dryRun: dryRun || operation.dryRun, manager },
    operation.services,
    new AdmissionChain([])
  )
}

/** Nothing is disrupted by ending what has ended, is ending, or has not begun. */
function goesAnyway({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp != null || ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '')
}

const isReady = ({ status }: Pod) => status.conditions?.some(c => c.type === 'Ready' && c.status === 'True') ?? false

async function askBudget(request: SubresourceRequest, pod: Pod, dryRun: boolean): Promise<void> {
  const budgets = request.context.services.registry.find('policy', 'v1', 'poddisruptionbudgets')
  if (!budgets) return
  const all: PodDisruptionBudget[] = [...budgets.cache.range(`${request.namespace}/`)].map(cached => budgets.parse(cached))
  const matching = all.filter(b => labelSelectorMatcher(b.spec.selector)(pod.metadata.labels ?? {}))
  if (matching.length > 1)
    throw internalError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.')
  const [budget] = matching
  if (!budget || (!isReady(pod) && mayGoUnready(budget))) return
  const operation = new Operation(
    {
      resource: budgets,
      version: budgets.memoryVersion.name,
      namespace: request.namespace,
      subresource: 'status',
      user: { name: 'system:apiserver', groups: ['system:masters'] },
      dryRun: dryRun || request.operation.dryRun,
      manager: 'kube-apiserver'
    },
    request.context.services,
    request.operation.admission
  )
  await update(operation, {
    name: budget.metadata.name!,
    compute(present: PodDisruptionBudget) {
      const changed = cloneJson(present)
      take(changed, pod, operation.now)
      return changed
    }
  })
}

function mayGoUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0
}

/** Takes one of the budget's allowed disruptions, or refuses. */
function take({ metadata, status }: PodDisruptionBudget, pod: Pod, now: number): void {
  const refuse = (message: string, retryAfterSeconds: number) =>
    tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds, [
      { reason: 'DisruptionBudget', message }
    ])
  const what = { group: 'policy', resource: 'poddisruptionbudgets' }
  const name = metadata.name!
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw refuse(`The disruption budget ${name} is still being processed by the server.`, unprocessedRetrySeconds)
  }
  if (status.disruptionsAllowed < 0) throw forbidden(what, name, 'pdb disruptions allowed is negative')
  const disrupted = status.disruptedPods ?? {}
  if (Object.keys(disrupted).length > maxDisruptedPods)
    throw forbidden(what, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  if (status.disruptionsAllowed === 0) {
    throw refuse(
      `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`,
      0
    )
  }
  status.disruptionsAllowed--
  status.disruptedPods = { ...disrupted, [pod.metadata.name!]: timestamp(now) }
  if (status.disruptionsAllowed > 0) return
  const others = status.conditions?.filter(c => c.type !== 'DisruptionAllowed') ?? []
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration,
    lastTransitionTime: timestamp(now),
    reason: 'InsufficientPods',
    message: ''
  }
  status.conditions = [...others, condition]
}

async function markAsDisrupted(operation: Operation, pod: Pod): Promise<void> {
  const now = timestamp(operation.now)
  await modify(operation, pod.metadata.name!, (present: Pod) => {
    const others = present.status.conditions?.filter(c => c.type !== 'DisruptionTarget') ?? []
    const why = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }
    present.status.conditions = [
      ...others,
      { type: 'DisruptionTarget', status: 'True', lastProbeTime: null, lastTransitionTime: now, ...why }
    ]
  })
}
