/** The annotations by which a Deployment numbers its ReplicaSets and remembers how large they should be. */
import type { Deployment, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import { byCreation, maxSurge, wanted } from './replica-sets.js'

export const revisionAnnotation = 'deployment.kubernetes.io/revision'
const historyAnnotation = 'deployment.kubernetes.io/revision-history'
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas'
const maximumAnnotation = 'deployment.kubernetes.io/max-replicas'

/** The most characters of the list of former revisions. */
const longestHistory = 2000

/** The annotations that a Deployment and its ReplicaSets have each for themselves. */
export const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maximumAnnotation,
  'deprecated.deployment.rollback.to'
])

type Annotations = Readonly<Record<string, string>>
const annotationsOf = ({ metadata }: ReplicaSet | Deployment): Annotations => metadata.annotations ?? {}
const integer = (text: string | undefined) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined)

/** Revisions are of 64 bits: clients may write one that no double holds. */
const revisionIn = (text: string | undefined): bigint | undefined => {
  const revision = text !== undefined && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
  return revision !== undefined && revision < 2n ** 63n ? revision : undefined
}

export const revisionOf = (set: ReplicaSet): bigint => revisionIn(annotationsOf(set)[revisionAnnotation]) ?? 0n

/** The revision after those of the sets. */
export const revisionAfter = (sets: readonly ReplicaSet[]): bigint =>
  (sets.map(revisionOf).sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n) + 1n

/** The number of Pods that the Deployment had asked for when it last scaled the set. */
export const desiredOf = (set: ReplicaSet): number | undefined => integer(annotationsOf(set)[desiredAnnotation])
export const maximumOf = (set: ReplicaSet): number | undefined => integer(annotationsOf(set)[maximumAnnotation])

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
export const byRevision = (a: ReplicaSet, b: ReplicaSet): number => compare(revisionOf(a), revisionOf(b)) || byCreation(a, b)

/** The annotations of a set that is scaled for this Deployment. */
export const sizeAnnotations = (deployment: Deployment): Annotations => ({
  [desiredAnnotation]: String(wanted(deployment)),
  [maximumAnnotation]: String(wanted(deployment) + maxSurge(deployment))
})

/** The annotations of the set with the present template: those of the Deployment, and its revision. */
export function annotationsOfNew(deployment: Deployment, present: Annotations, revision: bigint): Annotations {
  const copied = Object.entries(annotationsOf(deployment)).filter(([key]) => !notCopied.has(key))
  const annotations: Record<string, string> = { ...present, ...Object.fromEntries(copied) }
  const old = present[revisionAnnotation]
  if (old && revisionIn(old) === undefined) return annotations
  if ((revisionIn(old) ?? 0n) >= revision) return annotations
  annotations[revisionAnnotation] = String(revision)
  if (old !== undefined) {
    const history = historyWith(present[historyAnnotation] ?? '', old)
    if (history !== undefined) annotations[historyAnnotation] = history
  }
  return annotations
}

/** The history with one revision more, without the first ones where it would become too long. */
function historyWith(history: string, revision: string): string | undefined {
  const revisions = history === '' ? [] : history.split(',')
  while (revisions.length > 0 && [...revisions, revision].join(',').length > longestHistory) revisions.shift()
  return revision.length > longestHistory ? undefined : [...revisions, revision].join(',')
}
