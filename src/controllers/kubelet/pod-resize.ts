/**
 * What becomes of a change of a Pod's resources on its Node: it is granted, put off until there is room (Deferred), or refused (Infeasible); one that is granted may
 * take its time. https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/
 */
import type { Node, Pod, PodCondition } from '../../apimachinery/api/generated/core-v1.js'
import { podResourcesWithOverhead } from '../../kinds/core/pod/resources.js'
import { timestamp } from '../../util/time.js'
import { type Amounts, amountsOf } from '../scheduler/resources.js'
import { annotationDomain } from './behavior.js'
import { containersOf, type PodContainer, statusIn } from './container-states.js'

/** Why a Node does not do what is asked. */
export interface ResizeRefusal {
  readonly reason: 'Deferred' | 'Infeasible'
  readonly message: string
}

/** What is decided about the resources of a Pod. */
export interface ResizeDecision {
  readonly conditions: readonly PodCondition[]
  /** Whether the containers get now what they ask for. */
  readonly isNow: boolean
  /** Whether the Node has given its word with this. */
  readonly isGranted: boolean
  readonly event?: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
  /** When it is to be looked at again, in milliseconds since 1970. */
  readonly wakeAt?: number
}

export const resizePending = 'PodResizePending'
export const resizeInProgress = 'PodResizeInProgress'

const conditionIn = ({ status }: Pod, type: string): PodCondition | undefined => status.conditions?.find(one => one.type === type)

/**
 * Whether a resize of the Pod waits for room on its Node.
 *
 * @example
 * pods.list().filter(isDeferred)
 */
export const isDeferred = (pod: Pod): boolean => conditionIn(pod, resizePending)?.reason === 'Deferred'

/** The resources that a container asks for, and has not. */
export function changedResources(pod: Pod, container: PodContainer): string[] {
  const { resources = {} } = container.spec
  const present = statusIn(pod.status, container)?.resources
  // one that has not been started yet gets what it asks for then
  if (!present || container.sort === 'ephemeral') return []
  return ['cpu', 'memory'].filter(name =>
    (['requests', 'limits'] as const).some(part => resources[part]?.[name] !== present[part]?.[name])
  )
}

/**
 * Decides about a Pod. `ask` says why its Node does not do it, and keeps room for it otherwise; `takes` is how long the change takes, in milliseconds.
 */
export function decideResize(pod: Pod, now: number, takes: number, ask: () => ResizeRefusal | undefined): ResizeDecision {
  if (!containersOf(pod).some(container => changedResources(pod, container).length > 0))
    return { conditions: [], isNow: true, isGranted: false }
  const { generation } = pod.metadata
  const pending = conditionIn(pod, resizePending)
  const known = conditionIn(pod, resizeInProgress)
  const goesOn = known !== undefined && known.observedGeneration === generation
  const refusal = goesOn ? undefined : ask()
  if (refusal) {
    const isNew = pending?.reason !== refusal.reason || pending.observedGeneration !== generation
    const message = resizeMessage(pod, `Pod resize ${refusal.reason}`, refusal.message)
    return {
      conditions: [conditionOf(resizePending, pending, generation, now, refusal)],
      isNow: false,
      isGranted: false,
      ...(isNew && { event: { type: 'Warning', reason: `Resize${refusal.reason}`, message } })
    }
  }
  const condition = conditionOf(resizeInProgress, goesOn ? known : undefined, generation, now)
  const end = Date.parse(condition.lastTransitionTime!) + takes
  const message = resizeMessage(pod, 'Pod resize started')
  return {
    conditions: end > now ? [condition] : [],
    isNow: end <= now,
    isGranted: true,
    ...(!goesOn && { event: { type: 'Normal', reason: 'ResizeStarted', message } }),
    ...(end > now && { wakeAt: end })
  }
}

function conditionOf(
  type: string,
  present: PodCondition | undefined,
  observedGeneration: number | undefined,
  now: number,
  why?: ResizeRefusal
): PodCondition {
  const time = timestamp(now)
  const stays = present !== undefined && present.reason === why?.reason
  return {
    type,
    status: 'True',
    lastProbeTime: stays ? (present.lastProbeTime ?? time) : time,
    lastTransitionTime: stays ? (present.lastTransitionTime ?? time) : time,
    ...(why && { reason: why.reason, message: why.message }),
    observedGeneration
  }
}

/**
 * What Events about a resize say.
 *
 * @example
 * resizeMessage(pod, 'Pod resize completed') // 'Pod resize completed: {"containers":[…],"generation":2}'
 */
export function resizeMessage({ spec, metadata }: Pod, what: string, error?: string): string {
  const named = (list: Pod['spec']['containers'] | undefined) =>
    list?.map(({ name, resources }) => ({ name, resources: resources ?? {} }))
  const about = {
    initContainers: named(spec.initContainers),
    containers: named(spec.containers),
    generation: metadata.generation,
    error
  }
  return `${what}: ${JSON.stringify(about)}`
}

/** What the kubelet has given a Pod, whatever it asks for meanwhile. */
export function allocatedOf(pod: Pod): Amounts {
  const given = <T extends { readonly name: string }>(containers: readonly T[] | null | undefined): T[] | undefined =>
    containers?.map(container => {
      const status = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(
        ({ name }) => name === container.name
      )
      return status?.resources ? { ...container, resources: { requests: status.allocatedResources ?? {} } } : container
    })
  const spec = { ...pod.spec, containers: given(pod.spec.containers) ?? [], initContainers: given(pod.spec.initContainers) }
  return amountsOf(podResourcesWithOverhead({ spec }, 'requests'))
}

/** What a Pod asks for. */
export const wantedOf = ({ spec }: Pod): Amounts => amountsOf(podResourcesWithOverhead({ spec }, 'requests'))

/** Returns why a Node does not do what a Pod asks for; `others` is what it has given the others. */
export function refusalOf(node: Node, wanted: Amounts, others: readonly Amounts[]): ResizeRefusal | undefined {
  const refused = node.metadata.annotations?.[`${annotationDomain}/resize-refused`]
  if (refused !== undefined) return { reason: 'Infeasible', message: refused }
  const allocatable = amountsOf(node.status.allocatable)
  for (const name of ['cpu', 'memory']) {
    const requested = wanted.get(name) ?? 0
    const used = others.reduce((sum, amounts) => sum + (amounts.get(name) ?? 0), 0)
    const capacity = allocatable.get(name) ?? 0
    if (requested > 0 && requested > capacity - used)
      return {
        reason: 'Deferred',
        message: `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`
      }
  }
  return undefined
}
