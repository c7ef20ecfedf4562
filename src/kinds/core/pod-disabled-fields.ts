import type { PodSpec } from '../../api/generated/core-v1.js'
import { allContainers } from './pod-spec-defaults.js'

/** Takes out what feature gates that are off by default guard, as kube-apiserver does unless an old object has it already. */
export function dropDisabledFields(spec: PodSpec): void {
  for (const { lifecycle } of allContainers(spec)) delete lifecycle?.stopSignal
  for (const volume of spec.volumes ?? []) {
    for (const source of volume.projected?.sources ?? []) {
      delete source.clusterTrustBundle
      delete source.podCertificate
    }
  }
  delete spec.schedulingGroup
}
