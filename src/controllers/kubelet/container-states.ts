/** The containers of a Pod, as the kubelet goes through them. */
import type { Container, ContainerStatus, Pod, PodStatus } from '../../apimachinery/api/generated/core-v1.js'
import type { ContainerSort } from './behavior.js'

export interface PodContainer {
  readonly spec: Container
  readonly sort: ContainerSort
}

export function containersOf({ spec }: Pod): PodContainer[] {
  const sortOf = ({ restartPolicy }: Container): ContainerSort => (restartPolicy === 'Always' ? 'sidecar' : 'init')
  return [
    ...(spec.initContainers ?? []).map(container => ({ spec: container, sort: sortOf(container) })),
    ...(spec.containers ?? []).map(container => ({ spec: container, sort: 'main' as const }))
  ]
}

export const ephemeralOf = ({ spec }: Pod): PodContainer[] =>
  (spec.ephemeralContainers ?? []).map(container => ({ spec: container as Container, sort: 'ephemeral' }))

/** The field of a Pod's status that has the containers of a sort. */
export const statusFields = {
  init: 'initContainerStatuses',
  sidecar: 'initContainerStatuses',
  main: 'containerStatuses',
  ephemeral: 'ephemeralContainerStatuses'
} as const satisfies Record<ContainerSort, keyof PodStatus>

export const statusIn = (status: PodStatus, { spec, sort }: PodContainer): ContainerStatus | undefined =>
  status[statusFields[sort]]?.find(({ name }) => name === spec.name)

/** Whether a container that has ended is started again. Rules for its exit code come before its own policy, and that before the Pod's (KEP-5307). */
export function restarts({ spec: pod }: Pod, { spec, sort }: PodContainer, exitCode: number): boolean {
  if (sort === 'sidecar') return true
  if (sort === 'ephemeral') return false
  const rule = spec.restartPolicyRules?.find(({ exitCodes }) => {
    const listed = !!exitCodes?.values?.includes(exitCode)
    return exitCodes?.operator === 'In' ? listed : exitCodes?.operator === 'NotIn' && !listed
  })
  if (rule) return rule.action === 'Restart'
  const policy = spec.restartPolicy ?? pod.restartPolicy ?? 'Always'
  if (policy === 'Never') return false
  // an init container that has succeeded is done
  return exitCode !== 0 || (policy === 'Always' && sort === 'main')
}

export const isRunning = (status: ContainerStatus | undefined): boolean => !!status?.state.running

/** How the container ended last: in its present state, or before the present one. */
export const endOf = ({ state, lastState }: ContainerStatus) => state.terminated ?? lastState.terminated
