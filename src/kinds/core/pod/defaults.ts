import type { Container, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { DefaultContext } from '../../../registry/strategy.js'
import { setKey } from '../../../util/json.js'
import { defaultByLimits } from './own-resources.js'
import { allContainers, defaultPodSpec } from './spec-defaults.js'

/** Sets the defaults of Pods that templates do not get, because they depend on the Pod. */
export function defaultPod(pod: Pod, { services }: DefaultContext): void {
  const { spec, status } = pod
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container)
  if (!services?.features.enabled('PodLevelResourcesFixDefaulting')) defaultByLimits(spec)
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
