import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../apimachinery/api/generated/core-v1.js'
import { setKey } from '../../../util/json.js'
import { canBeOvercommitted, isHugePages } from '../resource-names.js'
import { containerResources, isPodLevel } from './resources.js'
import { allContainers, defaultPodSpec } from './spec-defaults.js'

/** Sets the defaults of Pods that templates do not get, because they depend on the Pod. */
export function defaultPod(pod: Pod): void {
  const { spec, status } = pod
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container)
  if (spec.resources) defaultPodResources(spec, spec.resources)
  spec.enableServiceLinks ??= true
  if (spec.hostNetwork) {
    for (const container of allContainers(spec)) for (const port of container.ports ?? []) port.hostPort ||= port.containerPort
  }
  defaultPodSpec(spec)
  if (spec.terminationGracePeriodSeconds! < 0) spec.terminationGracePeriodSeconds = 1
  // podIP and hostIP are the first of their lists
  if (status?.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }]
  else if (status?.podIPs?.[0] && !status.podIP) status.podIP = status.podIPs[0].ip
}

/** The request for a resource defaults to its limit. */
function requestLimits({ resources }: Container): void {
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    resources.requests ??= {}
    if (!Object.hasOwn(resources.requests, name)) setKey(resources.requests, name, limit)
  }
}

/**
 * Sets defaults of the Pod's own resources. Limits of huge pages and requests default to those of the containers, and other
 * requests to the Pod's limits.
 */
function defaultPodResources(spec: PodSpec, resources: ResourceRequirements): void {
  const { limits = {}, requests = {} } = resources
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return
  for (const [name, limit] of Object.entries(containerResources(spec, 'limits')))
    if (isHugePages(name) && !Object.hasOwn(requests, name)) fill(limits, name, limit)
  if (Object.keys(limits).length > 0) resources.limits = limits
  else return
  for (const [name, request] of Object.entries(containerResources(spec, 'requests')))
    if (isPodLevel(name) && canBeOvercommitted(name)) fill(requests, name, request)
  for (const [name, limit] of Object.entries(limits)) if (isPodLevel(name)) fill(requests, name, limit)
  if (Object.keys(requests).length > 0) resources.requests = requests
}

function fill(list: Record<string, string>, name: string, amount: string): void {
  if (!Object.hasOwn(list, name)) list[name] = amount
}
