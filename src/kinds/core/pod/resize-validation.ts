/** Validates what a resize changes. */
import type { Container, Pod, PodSpec, ResourceRequirements, Volume } from '../../../apimachinery/api/generated/core-v1.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { cloneJson, equalJson, own } from '../../../util/json.js'
import { compareQuantities, parseQuantity } from '../../../util/quantity.js'
import { qosClass } from './qos.js'
import { isStatic } from './update-validation.js'

const spec = Path.of('spec')
const resizable = ['cpu', 'memory'] as const

export function validateResize(pod: Pod, old: Pod, errors: FieldErrors): void {
  if (isStatic(old)) return errors.only(() => void errors.forbidden('[]', 'static pods cannot be resized'))
  if (old.spec.os?.name === 'windows') return errors.only(() => void errors.forbidden('[]', 'windows pods cannot be resized'))
  if ((old.status.qosClass || qosClass(old.spec, errors)) !== qosClass(pod.spec, errors))
    errors.invalid(spec, pod.status.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing')
  if (!isSupported(old)) errors.forbidden(spec, 'Pod running on node without support for resize')
  const rest = cloneJson(pod.spec)
  if (hasResources(old) || hasResources(pod)) validatePodResize(pod, old, rest, errors)
  if (!validateOrder(pod, old, errors)) return
  for (const field of ['initContainers', 'containers'] as const) {
    pod.spec[field]?.forEach(({ resources }, i) => {
      const path = spec.child(field).index(i).child('resources')
      const before = old.spec[field]![i]!.resources
      if (loses(resources.requests, before.requests))
        errors.forbidden(path.child('requests'), 'resource requests cannot be removed')
      if (loses(resources.limits, before.limits)) errors.forbidden(path.child('limits'), 'resource limits cannot be removed')
    })
  }
  rest.containers?.forEach((container, i) => {
    const before = old.spec.containers![i]!
    container.resources = withoutResize(container.resources, before.resources)
    if (!equalJson(container, before)) errors.forbidden(spec, 'only cpu and memory resources are mutable')
  })
  rest.initContainers?.forEach((container, i) => {
    validateInitContainer(container, old.spec.initContainers![i]!, spec.child('initContainers').index(i), errors)
  })
  validateVolumes(pod.spec, old.spec, errors)
  if (errors.any) return
  if (old.spec.volumes) rest.volumes = old.spec.volumes
  else delete rest.volumes
  if (!equalJson(rest, old.spec)) errors.forbidden(spec, 'only cpu and memory resources are mutable')
}

/** Whether the Pod's node can resize its containers: it must report their resources. */
function isSupported({ status }: Pod): boolean {
  const running = status.containerStatuses?.find(({ state }) => state.running)
  return !running || running.resources !== undefined
}

const hasResources = ({ spec: { resources } }: Pod) => Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0

function validatePodResize(pod: Pod, old: Pod, rest: Pod['spec'], errors: FieldErrors): void {
  const path = spec.child('resources')
  const before = old.spec.resources
  const now = pod.spec.resources
  if (before && !now) return errors.forbidden(path, 'pod-level resources cannot be removed')
  if (before && loses(now?.requests, before.requests))
    errors.forbidden(path.child('requests'), 'pod-level resource requests cannot be removed')
  if (before && loses(now?.limits, before.limits))
    errors.forbidden(path.child('limits'), 'pod-level resource limits cannot be removed')
  if (now) rest.resources = withoutResize(now, before ?? {})
  if (!before && rest.resources && isEmpty(rest.resources)) delete rest.resources
  if (!equalJson(rest.resources, before)) errors.forbidden(spec, 'only cpu and memory resources are mutable at pod-level')
}

const isEmpty = ({ requests, limits, claims }: ResourceRequirements) =>
  Object.keys({ ...requests, ...limits }).length === 0 && !claims?.length

/** Returns whether the containers are the same ones, in the same order. */
function validateOrder(pod: Pod, old: Pod, errors: FieldErrors): boolean {
  let same = true
  for (const field of ['containers', 'initContainers'] as const) {
    const before = old.spec[field] ?? []
    const now = pod.spec[field] ?? []
    if (now.length !== before.length) {
      errors.forbidden(spec.child(field), `${field} may not be added or removed on resize`)
      same = false
      continue
    }
    now.forEach(({ name }, i) => {
      if (name === before[i]!.name) return
      errors.forbidden(spec.child(field).index(i).child('name'), `${field} may not be renamed or reordered on resize`)
      same = false
    })
  }
  return same
}

function validateInitContainer(container: Container, before: Container, path: Path, errors: FieldErrors): void {
  const changed = !equalJson(container, before)
  container.resources = withoutResize(container.resources, before.resources)
  if (!equalJson(container, before))
    errors.forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable')
  if (!changed || container.restartPolicy === 'Always') return
  for (const { restartPolicy } of container.resizePolicy ?? []) {
    if (restartPolicy === 'RestartContainer')
      errors.forbidden(path, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized')
  }
}

/** Only the limit of a volume in memory may change, where the gate allows it. */
function validateVolumes({ volumes = [] }: PodSpec, { volumes: before = [] }: PodSpec, errors: FieldErrors): void {
  const path = spec.child('volumes')
  const gate = 'InPlacePodVerticalScalingMemoryBackedVolumes'
  if (!errors.enabled(gate)) {
    if (!equalJson(volumes, before))
      errors.forbidden(path, `volumes are immutable on resize when ${gate} feature gate is disabled`)
    return
  }
  if (volumes.length !== before.length) return errors.forbidden(path, 'volumes may not be added or removed on resize')
  volumes.forEach((volume, i) => void validateVolume(volume, before[i]!, path.index(i), errors))
}

function validateVolume(volume: Volume, old: Volume, path: Path, errors: FieldErrors): void {
  if (volume.name !== old.name) return errors.forbidden(path.child('name'), 'volumes may not be renamed or reordered on resize')
  const withoutLimit = ({ emptyDir, ...rest }: Volume) => {
    const { sizeLimit: _, ...others } = emptyDir ?? {}
    return emptyDir ? { ...rest, emptyDir: others } : rest
  }
  if (!equalJson(withoutLimit(volume), withoutLimit(old)))
    return errors.forbidden(path, 'only sizeLimit of memory-backed emptyDir volumes is mutable on resize')
  const at = path.child('emptyDir', 'sizeLimit')
  const [limit, limitBefore] = [volume, old].map(({ emptyDir }) => emptyDir?.sizeLimit)
  const isSet = (quantity: string | undefined) => quantity !== undefined && parseQuantity(quantity).mantissa !== 0n
  if (isSet(limit) !== isSet(limitBefore))
    errors.forbidden(at, 'adding or removing sizeLimit on an existing volume is not allowed')
  else if (limit !== undefined && limitBefore !== undefined && compareQuantities(limit, limitBefore) !== 0)
    if (volume.emptyDir?.medium !== 'Memory') errors.forbidden(at, 'sizeLimit is only mutable for memory-backed emptyDir volumes')
}

function loses(now: Record<string, string> | undefined, before: Record<string, string> | undefined): boolean {
  return Object.keys(before ?? {}).some(name => own(now, name) === undefined)
}

/** Returns the resources with cpu and memory as they were. */
function withoutResize(now: ResourceRequirements, before: ResourceRequirements): ResourceRequirements {
  const { limits: _, requests: __, ...claims } = now
  const rest: ResourceRequirements = claims
  for (const list of ['limits', 'requests'] as const) {
    const quantities: Record<string, string> = { ...now[list] }
    for (const name of resizable) {
      const value = before[list]?.[name]
      if (value === undefined) delete quantities[name]
      else quantities[name] = value
    }
    if (Object.keys(quantities).length > 0) rest[list] = quantities
  }
  return rest
}
