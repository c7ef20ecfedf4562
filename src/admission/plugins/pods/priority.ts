import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { PriorityClass } from '../../../apimachinery/api/generated/scheduling-v1.js'
import type { PodGroup } from '../../../apimachinery/api/generated/scheduling-v1beta1.js'
import { forbidden, type GroupResource } from '../../../apimachinery/status/status.js'
import { systemPriorityClasses } from '../../../kinds/scheduling/priority-class.js'
import type { Services } from '../../../registry/services.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { nameInErrors } from '../../name-in-errors.js'

const group = 'scheduling.k8s.io'
const pods = { group: '', resource: 'pods' }
/** How errors call the kinds of groups. */
const groupKinds: Readonly<Record<string, string>> = { podgroups: 'pod group', compositepodgroups: 'composite pod group' }
const classes = { group, resource: 'priorityclasses' }

/** Sets the priority of Pods, PodGroups and CompositePodGroups from their class (https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/). */
export const priority: BuiltinPlugin = {
  name: 'Priority',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods', 'scheduling.k8s.io/compositepodgroups', 'scheduling.k8s.io/podgroups', 'scheduling.k8s.io/priorityclasses'],
  admit(attributes) {
    const groupKind = groupKinds[attributes.resource.resource]
    if (groupKind !== undefined && attributes.operation === 'CREATE') setGroupPriority(groupKind, attributes)
    if (attributes.resource.resource !== pods.resource) return
    const pod: Pod = attributes.object
    if (attributes.operation === 'UPDATE') {
      const { spec }: Pod = attributes.oldObject
      if (pod.spec.priority === undefined && spec.priority !== undefined) pod.spec.priority = spec.priority
      if (pod.spec.preemptionPolicy === undefined && spec.preemptionPolicy !== undefined)
        pod.spec.preemptionPolicy = spec.preemptionPolicy
      return
    }
    setPriority(pod, attributes)
  },
  validate({ operation, resource, object, context }) {
    if (resource.resource !== classes.resource) return
    const given: PriorityClass = object
    if (!given.globalDefault) return
    const present = defaultClass(context.services)
    if (!present || (operation === 'UPDATE' && present.metadata.name === given.metadata.name)) return
    throw forbidden(
      classes,
      given.metadata.name ?? '',
      `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`
    )
  }
}

function setPriority(pod: Pod, attributes: AdmissionAttributes): void {
  const { spec } = pod
  const { name, value, policy } = classOf(spec.priorityClassName, pods, attributes)
  if (name !== undefined) spec.priorityClassName = name
  if (spec.priority !== undefined && spec.priority !== value) {
    const computed = `priority admission controller computed ${value} from the given PriorityClass name`
    throw forbidden(
      pods,
      nameInErrors(attributes),
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; ${computed}`
    )
  }
  spec.priority = value
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const computed = `priority admission controller computed ${policy} from the given PriorityClass name`
    throw forbidden(
      pods,
      nameInErrors(attributes),
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; ${computed}`
    )
  }
  spec.preemptionPolicy = policy
}

function setGroupPriority(kind: string, attributes: AdmissionAttributes): void {
  const { groupResource } = attributes.resource
  const { spec }: PodGroup = attributes.object
  const { name, value, policy } = classOf(spec.priorityClassName, groupResource, attributes)
  const refuse = (why: string) => forbidden(groupResource, nameInErrors(attributes), why)
  if (spec.priority !== undefined && spec.priority !== value) {
    const why = `must match the priority computed (${value}) based on the priority class set in the spec`
    throw refuse(`priority set in the ${kind} (${spec.priority}) ${why}`)
  }
  spec.priority = value
  if (name !== undefined) spec.priorityClassName = name
  if (!attributes.context.services.features.enabled('PodGroupPreemptionPolicy')) return
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const why = `must not be provided in ${kind} spec; priority admission controller computed ${policy} from the given PriorityClass name`
    throw refuse(`the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${why}`)
  }
  spec.preemptionPolicy = policy === 'Never' ? policy : 'PreemptLowerPriority'
}

interface FoundClass {
  /** Undefined where neither the object nor a default names a class. */
  readonly name: string | undefined
  readonly value: number
  readonly policy: string
}

/** Returns the class of that name, or the default one. `resource` is that of the object, for errors. */
function classOf(name: string | undefined, resource: GroupResource, attributes: AdmissionAttributes): FoundClass {
  const { services } = attributes.context
  const found = name ? findClass(services, name) : defaultClass(services)
  // the system's classes count even before their objects exist
  const value = found?.value ?? (name ? systemPriorityClasses.get(name) : 0)
  if (value === undefined) throw forbidden(resource, nameInErrors(attributes), `no PriorityClass with name ${name} was found`)
  return { name: name || found?.metadata.name, value, policy: found?.preemptionPolicy ?? 'PreemptLowerPriority' }
}

function findClass({ registry }: Services, name: string): PriorityClass | undefined {
  const resource = registry.find(group, 'v1', classes.resource)
  const found = resource?.get('', name)
  return found && resource!.peek(found)
}

/** Returns the default class. If a race has left several, the one with the lowest value counts. */
function defaultClass({ registry }: Services): PriorityClass | undefined {
  const resource = registry.find(group, 'v1', classes.resource)
  if (!resource) return undefined
  let lowest: PriorityClass | undefined
  for (const cached of resource.cache.range('')) {
    const candidate: PriorityClass = resource.peek(cached)
    if (candidate.globalDefault && (!lowest || candidate.value < lowest.value)) lowest = candidate
  }
  return lowest
}
