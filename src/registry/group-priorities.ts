/**
 * The priorities of the server's own groups and versions, as in their APIServices. A greater priority comes earlier in discovery,
 * and clients prefer it for a name that several groups have.
 */
import { own } from '../util/json.js'

export interface ApiServicePriority {
  readonly group: number
  readonly version: number
}

/** The groups, with their versions ranked by stage: stable, beta, alpha. */
const groups: Readonly<Record<string, number>> = {
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'apiextensions.k8s.io': 16700,
  'admissionregistration.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
  'resource.k8s.io': 16200,
  'flowcontrol.apiserver.k8s.io': 16100,
  'internal.apiserver.k8s.io': 16000,
  'storagemigration.k8s.io': 15800,
  apps: 17800,
  '': 18000
}

/** Versions whose priority differs from the usual one of their stage. */
const versions: Readonly<Record<string, number>> = {
  v1: 1,
  'events.k8s.io/v1beta1': 5,
  'autoscaling/v2': 30,
  'storage.k8s.io/v1alpha1': 1,
  'scheduling.k8s.io/v1alpha3': 2,
  'node.k8s.io/v1alpha1': 1,
  'admissionregistration.k8s.io/v1beta1': 12,
  'admissionregistration.k8s.io/v1alpha1': 9,
  'coordination.k8s.io/v1beta1': 13,
  'coordination.k8s.io/v1alpha2': 12,
  'discovery.k8s.io/v1beta1': 12,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'internal.apiserver.k8s.io/v1alpha1': 9,
  'resource.k8s.io/v1': 21,
  'resource.k8s.io/v1beta2': 15,
  'certificates.k8s.io/v1alpha1': 1
}

const byStage = (version: string) => (version.includes('alpha') ? 1 : version.includes('beta') ? 9 : 15)

/** Returns undefined for groups that are not the server's own, and for apiregistration.k8s.io, which has no APIService. */
export function apiServicePriority(group: string, version: string): ApiServicePriority | undefined {
  const rank = own(groups, group)
  if (rank === undefined) return undefined
  const key = group === '' ? version : `${group}/${version}`
  return { group: rank, version: own(versions, key) ?? byStage(version) }
}

/** Ranks groups for discovery: apiregistration.k8s.io first, then by priority. Unknown groups rank as custom resources do. */
export function groupRank(group: string): number {
  if (group === 'apiregistration.k8s.io') return 17900
  return own(groups, group) ?? customPriority.group
}

/** The priority of groups that CustomResourceDefinitions declare. */
export const customPriority: ApiServicePriority = { group: 1000, version: 100 }
