import type { PodSpec } from '../../../api/generated/core-v1.js'
import { allContainers } from './spec-defaults.js'

/** Drops fields whose feature gates are off by default. */
export function dropDisabledFields(spec: PodSpec): void {
  for (const container of allContainers(spec)) {
    if (container.lifecycle?.stopSignal === undefined) continue
    const { stopSignal: _, ...lifecycle } = container.lifecycle
    if (Object.keys(lifecycle).length > 0) container.lifecycle = lifecycle
    else delete container.lifecycle
  }
  for (const volume of spec.volumes ?? []) {
    for (const source of volume.projected?.sources ?? []) {
      delete source.clusterTrustBundle
      delete source.podCertificate
    }
  }
  delete spec.schedulingGroup
}
