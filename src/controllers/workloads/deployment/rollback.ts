/** Going back to a former template by an annotation, as the first versions of Deployments did it. kubectl patches the template instead. */
import type { Deployment, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import { hashLabel } from '../template-hash.js'
import { notCopied, revisionOf } from './annotations.js'

const rollbackAnnotation = 'deprecated.deployment.rollback.to'

/** The revision to go back to, 0 for the last one; undefined for none. */
export function rollbackOf({ metadata }: Deployment): bigint | undefined {
  const text = metadata.annotations?.[rollbackAnnotation]
  return text !== undefined && /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : undefined
}

/** The revision before the present one; 0 for none. */
export const lastRevision = (sets: readonly ReplicaSet[]): bigint =>
  sets
    .map(revisionOf)
    .sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
    .at(1) ?? 0n

export function withoutRollback(deployment: Deployment): Deployment {
  const { [rollbackAnnotation]: _, ...annotations } = deployment.metadata.annotations ?? {}
  return { ...deployment, metadata: { ...deployment.metadata, annotations } }
}

/** The Deployment with the template of a set, and with the annotations that it had then. */
export function rolledBack(deployment: Deployment, set: ReplicaSet): Deployment {
  const { metadata, spec } = set.spec.template!
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {}
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => notCopied.has(key))
  const former = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !notCopied.has(key))
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: Object.fromEntries([...own, ...former]) },
    spec: { ...deployment.spec, template: { metadata: { ...metadata!, labels }, spec } }
  }
}
