/** Eviction: deletes a Pod if its disruption budget allows that (https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/). */

import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { Eviction, PodDisruptionBudget } from '../../../apimachinery/api/generated/policy-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { labelSelectorMatcher } from '../../../apimachinery/selectors/labels.js'
import {
  badRequest,
  forbidden,
  notFound,
  plainError,
  type Status,
  success,
  tooManyRequests
} from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { setPodCondition } from '../../../kinds/core/pod/condition.js'
import { noAdmission } from '../../../registry/write/admission.js'
import { checkPreconditions, deleteObject } from '../../../registry/write/delete.js'
import { type DeleteOptions, invalidDeleteOptions, validateDeleteOptions } from '../../../registry/write/delete-options.js'
import { modify } from '../../../registry/write/modify.js'
import { Operation } from '../../../registry/write/operation.js'
import { edit } from '../../../registry/write/verbs.js'
import { write } from '../../../registry/write/write.js'
import { cloneJson } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import type { Implementation, SubresourceRequest } from '../implementation.js'

const maxDisruptedPods = 2000
const unprocessedRetrySeconds = 10

export const podEviction: Implementation = {
  async create(request, eviction: Eviction) {
    if (eviction.metadata.name !== request.name) throw badRequest('name in URL does not match name in Eviction object')
    const { resource, namespace, name } = request
    const options = evictionOptions(eviction, request.query)
    await request.validateAdmission(eviction)
    const found = resource.get(namespace, name)
    if (!found) throw notFound({ group: '', resource: 'pods' }, name)
    const pod: Pod = resource.parse(found)
    const operation = operationOn(request, resource, (options.dryRun?.length ?? 0) > 0)
    if (!goesAnyway(pod)) {
      const refused = await askBudget(request, pod, operation.dryRun)
      if (refused) return refused
    }
    const preconditions = operation.dryRun ? options.preconditions : await markAsDisrupted(operation, name, options)
    const errors = new FieldErrors()
    validateDeleteOptions(options, errors)
    if (errors.any) throw invalidDeleteOptions(errors)
    await deleteObject(operation, name, { ...options, preconditions })
    return success(undefined, 201)
  }
}

type EvictionOptions = DeleteOptions & { dryRun?: readonly string[]; ignoreStoreReadErrorWithClusterBreakingPotential?: boolean }

/** Returns the options of the eviction, which is a dry run when either the Eviction or the request says so. */
function evictionOptions({ metadata, deleteOptions }: Eviction, query: URLSearchParams): EvictionOptions {
  const options = (deleteOptions ?? {}) as EvictionOptions
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const errors = new FieldErrors()
    const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential'
    errors.invalid(field, true, 'can not be set for pod eviction, try after removing the option')
    throw invalidObject({ group: 'policy', kind: 'Eviction' }, metadata.name ?? '', errors)
  }
  const [asked, inside] = [query.getAll('dryRun'), options.dryRun ?? []]
  if (asked.length > 0 && inside.length > 0 && asked.join('\0') !== inside.join('\0'))
    throw plainError(`Non-matching dry-run options in request and content: [${asked.join(' ')}] and [${inside.join(' ')}]`)
  return { ...options, dryRun: inside.length > 0 ? inside : asked }
}

/** Makes the operation for the writes to the Pod. They skip admission, because the eviction has passed it. */
function operationOn(
  { operation, namespace }: SubresourceRequest,
  resource: SubresourceRequest['resource'],
  dryRun: boolean
): Operation {
  const version = resource.memoryVersion.name
  const manager = operation.manager.name
  return new Operation(
    { resource, version, namespace, user: operation.user, dryRun: dryRun || operation.dryRun, manager },
    operation.services,
    noAdmission
  )
}

/** Whether a Pod needs no budget, because it has ended, is ending or does not run yet. */
function goesAnyway({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp != null || ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '')
}

const isReady = ({ status }: Pod) => status.conditions?.some(c => c.type === 'Ready' && c.status === 'True') ?? false

/** Takes a disruption from the Pod's budget. Throws when none is left; returns a Status when several budgets cover the Pod. */
async function askBudget(request: SubresourceRequest, pod: Pod, dryRun: boolean): Promise<Status | undefined> {
  const budgets = request.operation.services.registry.ifServed(refs.podDisruptionBudgets)
  if (!budgets) return undefined
  const all: PodDisruptionBudget[] = [...budgets.cache.range(`${request.namespace}/`)].map(cached => budgets.parse(cached))
  const matching = all.filter(b => labelSelectorMatcher(b.spec.selector)(pod.metadata.labels ?? {}))
  if (matching.length > 1)
    return plainError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.').status
  const [budget] = matching
  if (!budget || (!isReady(pod) && mayGoUnready(budget))) return undefined
  const operation = new Operation(
    {
      resource: budgets,
      version: budgets.memoryVersion.name,
      namespace: request.namespace,
      subresource: 'status',
      user: { name: 'system:apiserver', groups: ['system:masters'] },
      dryRun: dryRun || request.operation.dryRun,
      manager: 'kube-apiserver'
    },
    request.operation.services,
    request.operation.admission
  )
  const change = (present: PodDisruptionBudget) => {
    const changed = cloneJson(present)
    take(changed, pod, operation.now)
    return changed
  }
  await write(operation, edit, { name: budget.metadata.name! }, { change })
  return undefined
}

function mayGoUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0
}

/** Takes one of the allowed disruptions. Throws when there is none. */
function take({ metadata, status }: PodDisruptionBudget, pod: Pod, now: number): void {
  const refuse = (message: string, retryAfterSeconds: number) =>
    tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds, [
      { reason: 'DisruptionBudget', message }
    ])
  const what = { group: 'policy', resource: 'poddisruptionbudget' }
  const name = metadata.name!
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw refuse(`The disruption budget ${name} is still being processed by the server.`, unprocessedRetrySeconds)
  }
  if (status.disruptionsAllowed < 0) throw forbidden(what, name, 'pdb disruptions allowed is negative')
  const disrupted = status.disruptedPods ?? {}
  if (Object.keys(disrupted).length > maxDisruptedPods)
    throw forbidden(what, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  if (status.disruptionsAllowed === 0) {
    throw refuse(`The disruption budget ${name} ${whyNone(status)}`, 0)
  }
  status.disruptionsAllowed--
  status.disruptedPods = { ...disrupted, [pod.metadata.name!]: timestamp(now) }
  if (status.disruptionsAllowed > 0) return
  const conditions = status.conditions ?? []
  const at = conditions.findIndex(c => c.type === disruptionAllowed)
  const before = conditions[at]
  const condition = {
    type: disruptionAllowed,
    status: 'False',
    observedGeneration: status.observedGeneration,
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : timestamp(now),
    reason: 'InsufficientPods',
    message: ''
  }
  status.conditions = before ? conditions.with(at, condition) : [...conditions, condition]
}

const disruptionAllowed = 'DisruptionAllowed'

function whyNone({ conditions, currentHealthy, desiredHealthy }: PodDisruptionBudget['status']): string {
  const denied = conditions?.find(c => c.type === disruptionAllowed && c.status === 'False' && c.message)
  if (denied?.reason === 'SyncFailed') return `does not allow evicting pods currently because it failed sync: ${denied.message}`
  if (currentHealthy <= desiredHealthy) return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return `does not allow evicting pods currently${denied ? ` (${denied.reason}): ${denied.message}` : ''}`
}

/** Marks the Pod as disrupted. Returns the preconditions of the deletion that follows, with this write's resource version. */
async function markAsDisrupted(operation: Operation, name: string, { preconditions }: DeleteOptions) {
  const { uid, resourceVersion } = preconditions ?? {}
  const marked = await modify(operation, name, (present: Pod) => {
    const others = { uid: uid || undefined, resourceVersion: resourceVersion || undefined }
    checkPreconditions(operation, present.metadata, { preconditions: others })
    const why = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }
    setPodCondition(present.status, { type: 'DisruptionTarget', status: 'True', ...why }, operation.now)
  })
  return resourceVersion === undefined ? preconditions : { uid, resourceVersion: marked.metadata.resourceVersion as string }
}
