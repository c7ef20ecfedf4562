import type { Container, Pod, PodSpec } from '../../api/generated/core-v1.js'
import { allContainers, defaultPodSpec } from './pod-spec-defaults.js'

/** What Pods have beyond templates: templates stay as they were written, so that these may depend on the Pod. */
export function defaultPod(pod: Pod): void {
  const { spec, status } = pod
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container)
  if (spec.resources) defaultPodRequests(spec)
  spec.enableServiceLinks ??= true
  if (spec.hostNetwork) {
    for (const container of allContainers(spec)) for (const port of container.ports ?? []) port.hostPort ||= port.containerPort
  }
  defaultPodSpec(spec)
  // podIP and hostIP are the first of their lists
  if (status?.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }]
  else if (status?.podIPs?.[0] && !status.podIP) status.podIP = status.podIPs[0].ip
}

/** Who limits a resource without requesting it wants what the limit is. */
function requestLimits({ resources }: Container): void {
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    resources.requests ??= {}
    if (!Object.hasOwn(resources.requests, name)) resources.requests[name] = limit
  }
}

function defaultPodRequests(spec: PodSpec): void {
  const resources = spec.resources!
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    const inContainers = (spec.containers ?? []).some(c => c.resources.requests && Object.hasOwn(c.resources.requests, name))
    if (inContainers && !name.startsWith('hugepages-')) continue
    resources.requests ??= {}
    if (!Object.hasOwn(resources.requests, name)) resources.requests[name] = limit
  }
}
