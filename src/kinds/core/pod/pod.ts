import type { Container, Pod, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { given } from '../../../apimachinery/schema/given.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { respelled } from '../../../apimachinery/schema/quantities.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { ipWarnings } from '../../../apimachinery/validation/ip.js'
import { isDns1123Label } from '../../../apimachinery/validation/names.js'
import { changesAroundAsNew } from '../../../registry/checks.js'
import { keepChangeableMeta, keepField } from '../../../registry/keep.js'
import { defineKind } from '../../../registry/kind.js'
import type { StrategyContext } from '../../../registry/strategy-context.js'
import { cloneJson, equalJson } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import { validateImageSpaces } from '../container/validation.js'
import {
  validateAnnotationChanges,
  validateAppArmorMatches,
  validatePodAnnotations,
  validateSeccompMatches
} from './annotations-validation.js'
import { takeOverAppArmor } from './app-armor-annotations.js'
import { podColumns, podRowConditions } from './columns.js'
import { defaultPod } from './defaults.js'
import { podGatedFields } from './gated-fields.js'
import { spellOutLabelKeys } from './label-keys.js'
import { defaultOwnResources } from './own-resources.js'
import { qosClass } from './qos.js'
import { validateResize } from './resize-validation.js'
import { validatePodSpec } from './spec-validation.js'
import { validatePodStatusUpdate } from './status-validation.js'
import { validateEphemeralContainersUpdate, validatePodUpdate } from './update-validation.js'
import { podWarnings } from './warnings.js'

const annotations = Path.of('metadata', 'annotations')
const core = (kind: string) => ({ group: '', version: 'v1', kind })
const self = { kind: core('Pod'), type: 'core.v1.Pod', verbs: ['get', 'patch', 'update'] } as const

export const pod = defineKind<Pod>({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Pod' }],
  fieldSelectors: {
    fields: {
      'spec.nodeName': o => o.spec.nodeName ?? '',
      'spec.restartPolicy': o => o.spec.restartPolicy ?? '',
      'spec.schedulerName': o => o.spec.schedulerName ?? '',
      'spec.serviceAccountName': o => o.spec.serviceAccountName ?? '',
      'spec.hostNetwork': o => String(o.spec.hostNetwork ?? false),
      'status.phase': o => o.status.phase ?? '',
      'status.podIP': o => o.status.podIPs?.[0]?.ip ?? '',
      'status.nominatedNodeName': o => o.status.nominatedNodeName ?? ''
    }
  },
  table: {
    columns: podColumns,
    rowConditions: podRowConditions
  },
  generation: true,
  gatedFields: podGatedFields,
  strategy: {
    resetFields: { status: { 'f:spec': {}, 'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} } } },
    default: defaultPod,
    prepareForCreate(o, { now, warn, services }) {
      if (services.features.enabled('PodLevelResourcesFixDefaulting')) defaultOwnResources(o.spec)
      o.status = { phase: 'Pending', qosClass: qosClass(o.spec, services.features) }
      spellOutLabelKeys(o, services.features)
      takeOverAppArmor(o, warn)
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
    prepareForUpdate: keepOwnResources,
    updateChecks: changesAroundAsNew,
    validate(o, errors, _, old) {
      const path = Path.of('spec')
      validatePodAnnotations(o, annotations, errors)
      validatePodSpec(o.spec, path, errors, o, old?.spec)
      if (!o.spec.serviceAccountName) validateNoTokens(o.spec, path.child('volumes'), errors)
      for (const field of ['containers', 'initContainers'] as const) {
        o.spec[field]?.forEach(
          (container: Container, i) => void validateImageSpaces(container, path.child(field).index(i), errors)
        )
      }
    },
    validateCreate(o, errors) {
      if (o.spec.ephemeralContainers?.length) errors.forbidden('spec.ephemeralContainers', 'cannot be set on create')
      if (o.spec.schedulingGates?.length && o.spec.nodeName)
        errors.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')
      validateSeccompMatches(o, Path.of('spec'), errors)
      validateAppArmorMatches(o, Path.of('spec'), errors)
    },
    validateUpdate(o, old, errors, { subresource }) {
      if (subresource !== 'resize') {
        validateAnnotationChanges(o, old, annotations, errors)
        validatePodAnnotations(o, annotations, errors)
      }
      if (subresource === 'ephemeralcontainers') validateEphemeralContainersUpdate(o, old, errors)
      else if (subresource === 'resize') validateResize(o, old, errors)
      else validatePodUpdate(o, old, errors)
    },
    // updates are too frequent for the cost of warnings
    warnings: (o, old) => (old ? [] : [...podWarnings(o), ...hostnameWarning(o.metadata.name!)])
  },
  deletion: {
    returnsObject: true,
    gracePeriod(o, requested) {
      if (!o.spec.nodeName || o.status.phase === 'Failed' || o.status.phase === 'Succeeded') return 0
      const seconds = requested ?? o.spec.terminationGracePeriodSeconds ?? 0
      return seconds < 0 ? 1 : seconds
    }
  },
  subresources: {
    status: {
      prepareForUpdate(o, old) {
        keepField(o.metadata, old.metadata, 'ownerReferences')
        keepField(o.metadata, old.metadata, 'deletionTimestamp')
        o.status.qosClass ||= old.status.qosClass
        keepClaimStatuses(o, old)
        keepObservedGenerations(o, old)
      },
      validateUpdate: validatePodStatusUpdate,
      warnings: ({ status }) =>
        (['podIPs', 'hostIPs'] as const).flatMap(field =>
          (status[field] ?? []).flatMap(({ ip }, i) => ipWarnings(ip ?? '', Path.of('status', field).index(i).child('ip')))
        )
    },
    others: {
      attach: { kind: core('PodAttachOptions'), type: 'core.v1.Pod', verbs: ['create', 'get'], connects: true },
      binding: { kind: core('Binding'), type: 'core.v1.Binding', verbs: ['create'] },
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
      eviction: {
        kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        type: 'policy.v1.Eviction',
        accepts: ['policy/v1beta1'],
        verbs: ['create']
      },
      exec: { kind: core('PodExecOptions'), type: 'core.v1.Pod', verbs: ['create', 'get'], connects: true },
      log: { kind: core('Pod'), type: 'core.v1.Pod', verbs: ['get'], connects: true },
      portforward: { kind: core('PodPortForwardOptions'), type: 'core.v1.Pod', verbs: ['create', 'get'], connects: true },
      proxy: {
        kind: core('PodProxyOptions'),
        type: 'core.v1.Pod',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
        connects: true
      },
      resize: {
        ...self,
        prepareForUpdate(o, old, { services }) {
          const { containers, initContainers, resources, volumes } = o.spec
          // validation refuses a change that is no mere resize
          if (sameLength(containers, old.spec.containers) && sameLength(initContainers, old.spec.initContainers)) {
            keepAllBut(o, old)
            o.spec = { ...old.spec, containers: resized(containers ?? [], old.spec.containers ?? []) }
            if (initContainers) o.spec.initContainers = resized(initContainers, old.spec.initContainers ?? [])
            if (volumes && services.features.enabled('InPlacePodVerticalScalingMemoryBackedVolumes')) o.spec.volumes = volumes
            if (resources) o.spec.resources = resources
            else delete o.spec.resources
          }
          if (services.features.enabled('PodLevelResourcesFixDefaulting')) {
            keepOwnResources(o, old, { services })
            defaultOwnResources(o.spec)
          }
          countChange(o, old)
        }
      }
    }
  }
})

/** A subresource that changes the spec keeps metadata and status. */
function keepAllBut(o: Pod, old: Pod): void {
  keepChangeableMeta(o, old)
  o.status = old.status
}

function countChange(o: Pod, old: Pod): void {
  if (!equalJson(o.spec, respelled(loadSchema().type('core.v1.PodSpec'), old.spec, o.spec)))
    o.metadata.generation = (old.metadata.generation ?? 0) + 1
}

const sameLength = (now: readonly Container[] | null | undefined, before: readonly Container[] | null | undefined) =>
  (now ?? []).length === (before ?? []).length

function resized(now: Container[], before: readonly Container[]): Container[] {
  if (now.some(({ name }, i) => name !== before[i]!.name)) return now
  return before.map(({ resizePolicy: _, ...container }, i) => {
    const { resources, resizePolicy } = now[i]!
    return resizePolicy ? { ...container, resources, resizePolicy } : { ...container, resources }
  })
}

/** Keeps the Pod's own resources when a client that does not know them leaves them out. */
function keepOwnResources(o: Pod, old: Pod, { services }: Pick<StrategyContext, 'services'>): void {
  if (!services.features.enabled('PodLevelResourcesFixDefaulting') || o.spec.resources || !old.spec.resources) return
  o.spec.resources = cloneJson(old.spec.resources)
}

/** Keeps what the scheduler wrote of claims when a client that does not know it leaves it out. An empty list clears it. */
function keepClaimStatuses({ status }: Pod, { status: old }: Pod): void {
  for (const field of ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'] as const)
    if (given(status, field) === undefined && old[field] !== undefined) Object.assign(status, { [field]: old[field] })
}

/** Keeps observed generations, also those of conditions, when the client does not send them. */
function keepObservedGenerations({ status }: Pod, { status: old }: Pod): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration
  // a type may occur several times: each list is reversed, so that `pop` takes the first
  const before = new Map<string, NonNullable<Pod['status']['conditions']>>()
  for (const condition of (old.conditions ?? []).toReversed()) {
    const same = before.get(condition.type)
    if (same) same.push(condition)
    else before.set(condition.type, [condition])
  }
  for (const condition of status.conditions ?? []) {
    const generation = before.get(condition.type)?.pop()?.observedGeneration
    if (generation && !condition.observedGeneration) condition.observedGeneration = generation
  }
}

/** A Pod without a service account cannot have projected tokens. */
function validateNoTokens(spec: PodSpec, path: Path, errors: FieldErrors): void {
  spec.volumes?.forEach(({ projected }, i) => {
    projected?.sources?.forEach((source, j) => {
      const at = path.index(i).child('projected', 'sources').index(j).child('serviceAccountToken')
      if (source.serviceAccountToken) errors.forbidden(at, 'must not be specified when serviceAccountName is not set')
    })
  })
}

function hostnameWarning(name: string): string[] {
  const problems = isDns1123Label(name)
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`
  ]
}
