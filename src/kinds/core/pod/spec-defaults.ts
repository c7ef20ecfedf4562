import type { Container, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { defaultContainer } from '../container/defaults.js'
import { defaultVolume } from '../volume/defaults.js'

/** Sets the defaults that Pods and templates share. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ??= 'ClusterFirst'
  spec.restartPolicy ??= 'Always'
  spec.securityContext ??= {}
  spec.terminationGracePeriodSeconds ??= 30
  spec.schedulerName ??= 'default-scheduler'
  // serviceAccount is the old name of serviceAccountName
  const account = spec.serviceAccountName ?? spec.serviceAccount
  if (account) spec.serviceAccountName = spec.serviceAccount = account
  for (const volume of spec.volumes ?? []) defaultVolume(volume)
  for (const container of allContainers(spec)) defaultContainer(container)
}

/** Returns the init, main and ephemeral containers. */
export function allContainers(spec: PodSpec): Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
}
