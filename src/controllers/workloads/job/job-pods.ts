/** What a Job asks of its Pods, and how it makes them: https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
import type { Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { Container, Pod, PodTemplateSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import type { Draft } from '../../../client/stored-types.js'
import { podOf } from '../pod-control.js'
import { failureRule } from './policies.js'

/** Keeps a Pod until the Job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
export const completionIndex = 'batch.kubernetes.io/job-completion-index'
const failureCount = 'batch.kubernetes.io/job-index-failure-count'
const ignoredFailureCount = 'batch.kubernetes.io/job-index-ignored-failure-count'

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed'
export const isSuspended = ({ spec }: Job): boolean => !!spec.suspend
/** Whether a Pod is replaced only when it has ended, not when it begins to end. */
export const replacesFailedOnly = ({ spec }: Job): boolean => spec.podReplacementPolicy === 'Failed'

export const isTracked = ({ metadata }: Pod): boolean => !!metadata.finalizers?.includes(trackingFinalizer)

/** The Pod's index; undefined for none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[completionIndex]
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined
}

export const byIndex = (a: Pod, b: Pod): number => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)

export const indexesOf = (pods: readonly Pod[]): Set<number> => new Set(pods.map(indexOf).filter(index => index !== undefined))

/** Whether the Pod has an index that the Job has, where it has any. */
export function hasValidIndex(pod: Pod, job: Job): boolean {
  if (!isIndexed(job)) return true
  const index = indexOf(pod)
  return index !== undefined && index < job.spec.completions!
}

/** A Pod that is being deleted counts as failed, unless the Job waits for its end: nobody may be there to say that it has failed. */
export function hasFailed({ status, metadata }: Pod, job: Job): boolean {
  if (status.phase === 'Failed') return true
  return !replacesFailedOnly(job) && !!metadata.deletionTimestamp && status.phase !== 'Succeeded'
}

const most = 2 ** 31 - 1

function count({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation]
  const value = text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : 0
  return value < 0 || value > most ? 0 : value
}

/** How often Pods of this one's index had failed before it, as far as that counts. */
export const failuresOf = (pod: Pod): number => count(pod, failureCount)
/** The same, with failures that the Job ignores. */
export const allFailuresOf = (pod: Pod): number => failuresOf(pod) + count(pod, ignoredFailureCount)

/** Whether the index of the Pod has failed with it. */
export function failsIndex(pod: Pod, job: Job): boolean {
  if (!hasFailed(pod, job)) return false
  const rule = failureRule(job, pod)
  if (rule.action === 'FailIndex') return true
  return rule.counts && failuresOf(pod) >= job.spec.backoffLimitPerIndex!
}

function withIndexInEnvironment(container: Container): Container {
  const name = 'JOB_COMPLETION_INDEX'
  if (container.env?.some(variable => variable.name === name)) return container
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${completionIndex}']` } }
  return { ...container, env: [...(container.env ?? []), { name, valueFrom } as NonNullable<Container['env']>[number]] }
}

function templateOf(job: Job): PodTemplateSpec {
  const { metadata, spec } = job.spec.template
  const finalizers = metadata?.finalizers ?? []
  const tracked = finalizers.includes(trackingFinalizer) ? finalizers : [...finalizers, trackingFinalizer]
  return { metadata: { ...metadata, finalizers: tracked }, spec } as PodTemplateSpec
}

/** The longest beginning of a generated name. */
const longestPrefix = 58

/** A Pod of the Job: with an index, where it has any, and in place of the one that failed last at this index. */
export function newPod(job: Job & KubeObject, index: number | undefined, replaced: Pod | undefined): Draft<Pod> {
  const pod = podOf(templateOf(job), job)
  if (index === undefined) return pod
  const { labels, annotations, ...metadata } = pod.metadata!
  const { containers, initContainers, ...spec } = pod.spec!
  const suffix = `-${index}-`
  const name = job.metadata.name!
  return {
    metadata: {
      ...metadata,
      generateName: `${name.slice(0, longestPrefix - suffix.length)}${suffix}`,
      labels: { ...labels, [completionIndex]: String(index) },
      annotations: { ...annotations, [completionIndex]: String(index), ...failureAnnotations(job, replaced) }
    },
    spec: {
      ...spec,
      hostname: `${name}-${index}`,
      containers: (containers as Container[]).map(withIndexInEnvironment),
      initContainers: (initContainers as Container[] | undefined)?.map(withIndexInEnvironment)
    }
  }
}

function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (job.spec.backoffLimitPerIndex === undefined) return {}
  if (!replaced) return { [failureCount]: '0' }
  const { counts } = failureRule(job, replaced)
  const ignored = count(replaced, ignoredFailureCount) + (counts ? 0 : 1)
  return {
    [failureCount]: String(failuresOf(replaced) + (counts ? 1 : 0)),
    ...(ignored > 0 ? { [ignoredFailureCount]: String(ignored) } : {})
  }
}
