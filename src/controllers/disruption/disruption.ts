/**
 * Keeps the status of PodDisruptionBudgets, by which the API server allows evictions:
 * https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
 */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../apimachinery/api/generated/policy-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { type LabelSelector, labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { timestamp } from '../../util/time.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { messageOf } from '../workloads/pod-control.js'
import { hasEnded, podCondition } from '../workloads/pods.js'
import { expectedScales } from './expected-scale.js'
import { deletionMs, disruptedOf, failedStatus, needsScale, statusOf } from './status.js'

type Budget = PodDisruptionBudget & KubeObject

/** Where a Pod begins in the keys of the queue: those of budgets have none. */
const podPrefix = 'Pod '

export function disruptionController(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf('disruption-controller')
  const events = context.recorder('controllermanager', client)
  const informer: Informer<Budget> = informers.of('policy/v1', 'PodDisruptionBudget')
  const pods: Informer<Pod & KubeObject> = informers.of('v1', 'Pod')
  const budgets = client.of('policy/v1', 'PodDisruptionBudget')
  const podsIn = pods.index(({ metadata }) => [metadata.namespace!])
  const budgetsIn = informer.index(({ metadata }) => [metadata.namespace!])
  const scaleOf = expectedScales(informers, client)
  const queue = context.queue({ name: 'disruption', reconcile })
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event as 'add', budget => queue.enqueue(keyOf(budget)))
    pods.on(event as 'add', podChanged)
  }
  for (const event of ['add', 'update'] as const)
    pods.on(event as 'add', pod => {
      if (staleAt(pod) !== undefined) queue.enqueue(`${podPrefix}${keyOf(pod)}`)
    })
  return queue

  function podChanged(pod: Pod & KubeObject): void {
    const { namespace, name, labels = {} } = pod.metadata
    const found = budgetsIn(namespace!).filter(budget => labelSelectorMatcher(selectorOf(budget))(labels))
    if (found.length > 1) {
      const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${found[0]!.metadata.name}" arbitrarily.`
      events.warning(pod, 'MultiplePodDisruptionBudgets', message)
    }
    for (const budget of found) queue.enqueue(keyOf(budget))
  }

  async function reconcile(key: string): Promise<number | undefined> {
    if (key.startsWith(podPrefix)) return resetCondition(key.slice(podPrefix.length))
    const budget = informer.get(namedBy(key))
    if (!budget) return undefined
    try {
      return await count(budget)
    } catch (error) {
      if (error instanceof StatusError && error.code === 409) throw error
      const status = failedStatus(budget, messageOf(error), clock.now())
      if (status) await write(budget, status)
      return undefined
    }
  }

  async function count(budget: Budget): Promise<number | undefined> {
    const matches = labelSelectorMatcher(selectorOf(budget))
    const found = podsIn(budget.metadata.namespace!).filter(({ metadata }) => matches(metadata.labels ?? {}))
    if (found.length === 0) events.normal(budget, 'NoPods', 'No matching pods found')
    const expected = needsScale(budget) ? await scaled(budget, found) : found.length
    const disrupted = disruptedOf(budget, found, clock.now())
    const { namespace } = budget.metadata
    for (const pod of disrupted.late)
      events.warning(pod, 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`)
    const status = statusOf(budget, { pods: found, expected, disrupted: disrupted.pods }, clock.now())
    if (status) await write(budget, status)
    return disrupted.recheckAt === undefined ? undefined : disrupted.recheckAt - clock.now() + 1
  }

  async function scaled(budget: Budget, found: readonly Pod[]): Promise<number> {
    try {
      const { count: expected, hasUnmanaged } = await scaleOf(found)
      if (hasUnmanaged)
        events.warning(
          budget,
          'UnmanagedPods',
          `Pods selected by this PodDisruptionBudget (selector: ${printed(selectorOf(budget))}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`
        )
      return expected
    } catch (error) {
      const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`
      events.warning(budget, 'CalculateExpectedPodCountFailed', message)
      throw error
    }
  }

  async function write(budget: Budget, status: PodDisruptionBudgetStatus): Promise<void> {
    informer.learn(await budgets.subresource('status').update(budget, { ...budget, status } as Draft<Budget>))
  }

  /** When the condition of a Pod that was to be disrupted, and is not, is out of date. */
  function staleAt({ metadata, status, ...pod }: Pod): number | undefined {
    const condition = podCondition({ metadata, status, ...pod }, 'DisruptionTarget')
    if (metadata.deletionTimestamp || condition?.status !== 'True' || hasEnded(status.phase)) return undefined
    // the kubelet may take its time
    return condition.reason === 'TerminationByKubelet' ? undefined : Date.parse(condition.lastTransitionTime ?? '') + deletionMs
  }

  async function resetCondition(key: string): Promise<number | undefined> {
    const pod = pods.get(namedBy(key))
    const at = pod && staleAt(pod)
    if (!pod || at === undefined) return undefined
    const now = clock.now()
    if (at > now) return at - now
    const condition = {
      type: 'DisruptionTarget',
      observedGeneration: pod.metadata.generation,
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: timestamp(now)
    }
    const conditions = pod.status.conditions?.map(one => (one.type === condition.type ? condition : one))
    const next = { ...pod, status: { ...pod.status, conditions } } as Draft<Pod & KubeObject>
    pods.learn(await client.of('v1', 'Pod').subresource('status').update(pod, next))
    return undefined
  }
}

const selectorOf = ({ spec }: PodDisruptionBudget) => spec.selector as LabelSelector | undefined

/** A selector as Go prints it. */
function printed(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  const requirements = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.map(([key, value]) => `${key}: ${value},`).join('')}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`
}
