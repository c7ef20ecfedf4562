import type { Container, Pod } from '../../api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { timestamp } from '../../util/time.js'
import { Path } from '../../validation/field.js'
import { validateImageSpaces } from './container-validation.js'
import { podBinding } from './pod-binding.js'
import { podColumns, podRowConditions } from './pod-columns.js'
import { podConnections } from './pod-connections.js'
import { defaultPod } from './pod-defaults.js'
import { dropDisabledFields } from './pod-disabled-fields.js'
import { podEviction } from './pod-eviction.js'
import { spellOutLabelKeys } from './pod-label-keys.js'
import { qosClass } from './pod-qos.js'
import { validatePodSpec } from './pod-spec-validation.js'
import { validatePodStatusUpdate } from './pod-status-validation.js'
import { validateEphemeralContainersUpdate, validatePodUpdate, validateResize } from './pod-update-validation.js'
import { podSpecWarnings } from './pod-warnings.js'

const mirror = 'kubernetes.io/config.mirror'
const self = { kind: { group: '', version: 'v1', kind: 'Pod' }, type: 'core.v1.Pod', verbs: ['get', 'patch', 'update'] } as const

export const pod = defineKind<Pod>({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Pod' }],
  columns: podColumns,
  rowConditions: podRowConditions,
  generation: true,
  returnsDeletedObject: true,
  selectableFields: {
    'spec.nodeName': o => o.spec.nodeName ?? '',
    'spec.restartPolicy': o => o.spec.restartPolicy ?? '',
    'spec.schedulerName': o => o.spec.schedulerName ?? '',
    'spec.serviceAccountName': o => o.spec.serviceAccountName ?? '',
    'spec.hostNetwork': o => String(o.spec.hostNetwork ?? false),
    'status.phase': o => o.status.phase ?? '',
    'status.podIP': o => o.status.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': o => o.status.nominatedNodeName ?? ''
  },
  default: defaultPod,
  prepareForCreate(o, { now }) {
    o.status = { phase: 'Pending', qosClass: qosClass(o.spec) }
    dropDisabledFields(o.spec)
    spellOutLabelKeys(o)
    if (!o.spec.schedulingGates?.length) return
    const message = 'Scheduling is blocked due to non-empty scheduling gates'
    o.status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: timestamp(now),
        reason: 'SchedulingGated',
        message
      }
    ]
  },
  prepareForUpdate(o) {
    dropDisabledFields(o.spec)
  },
  validate(o, errors) {
    const path = Path.of('spec')
    const annotation = o.metadata.annotations?.[mirror]
    if (annotation !== undefined && !o.spec.nodeName) {
      errors.invalid(
        Path.of('metadata', 'annotations').key(mirror),
        annotation,
        'must set spec.nodeName if mirror pod annotation is set'
      )
    }
    validatePodSpec(o.spec, path, errors, o.metadata)
    for (const field of ['containers', 'initContainers'] as const) {
      o.spec[field]?.forEach((container: Container, i) => void validateImageSpaces(container, path.child(field).index(i), errors))
    }
  },
  validateCreate(o, errors) {
    if (o.spec.ephemeralContainers?.length) errors.forbidden('spec.ephemeralContainers', 'cannot be set on create')
    if (o.spec.schedulingGates?.length && o.spec.nodeName)
      errors.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')
  },
  validateUpdate(o, old, errors, { subresource }) {
    if (subresource === 'ephemeralcontainers') validateEphemeralContainersUpdate(o, old, errors)
    else if (subresource === 'resize') validateResize(o, old, errors)
    else validatePodUpdate(o, old, errors)
  },
  warnings: o => podSpecWarnings(o.spec),
  gracePeriod(o, requested) {
    if (!o.spec.nodeName || o.status.phase === 'Failed' || o.status.phase === 'Succeeded') return 0
    const seconds = requested ?? o.spec.terminationGracePeriodSeconds ?? 0
    return seconds < 0 ? 1 : seconds
  },
  status: {
    prepareForUpdate(o, old) {
      if (old.metadata.ownerReferences) o.metadata.ownerReferences = old.metadata.ownerReferences
      else delete o.metadata.ownerReferences
      o.status.qosClass ||= old.status.qosClass
    },
    validateUpdate: validatePodStatusUpdate
  },
  subresources: {
    ...podConnections,
    binding: podBinding,
    ephemeralcontainers: {
      ...self,
      prepareForUpdate(o, old) {
        keepAllBut(o, old)
        const { ephemeralContainers } = o.spec
        o.spec = { ...old.spec }
        if (ephemeralContainers) o.spec.ephemeralContainers = ephemeralContainers
        else delete o.spec.ephemeralContainers
        countChange(o, old)
      }
    },
    eviction: podEviction,
    resize: {
      ...self,
      prepareForUpdate(o, old) {
        keepAllBut(o, old)
        const { containers, initContainers } = o.spec
        // what is no mere resize is left for validation to refuse
        if (!sameNames(containers, old.spec.containers) || !sameNames(initContainers, old.spec.initContainers)) return
        o.spec = { ...old.spec, containers: resized(containers ?? [], old.spec.containers ?? []) }
        if (initContainers) o.spec.initContainers = resized(initContainers, old.spec.initContainers ?? [])
        countChange(o, old)
      }
    }
  }
})

/** A subresource of the spec leaves metadata and status alone. */
function keepAllBut(o: Pod, old: Pod): void {
  const { managedFields, resourceVersion } = o.metadata
  o.metadata = { ...old.metadata, resourceVersion }
  if (managedFields) o.metadata.managedFields = managedFields
  else delete o.metadata.managedFields
  o.status = old.status
}

function countChange(o: Pod, old: Pod): void {
  if (!equalJson(o.spec, old.spec)) o.metadata.generation = (old.metadata.generation ?? 0) + 1
}

const sameNames = (now: readonly Container[] | null | undefined, before: readonly Container[] | null | undefined) =>
  (now ?? []).map(c => c.name).join() === (before ?? []).map(c => c.name).join()

function resized(now: readonly Container[], before: readonly Container[]): Container[] {
  return before.map((container, i) => {
    const { resources, resizePolicy } = now[i]!
    const next = { ...container, resources }
    if (resizePolicy) next.resizePolicy = resizePolicy
    return next
  })
}
