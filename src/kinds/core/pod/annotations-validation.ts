/** Validates the annotations that fields have replaced, and others that Kubernetes reads. */
import type { AppArmorProfile, Container, Pod, PodSpec, SeccompProfile } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { goQuote } from '../../../util/go-format.js'
import { validateLocalDescendingPath } from '../volume/local-path.js'
import { validateTolerationsAnnotation } from './tolerations-annotation.js'

const mirror = 'kubernetes.io/config.mirror'
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost'
const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/'
const appArmor = 'container.apparmor.security.beta.kubernetes.io/'
const localhost = 'localhost/'

type PodLike = Pick<Pod, 'metadata' | 'spec'>

/** Validates the annotations of a Pod or a template. */
export function validatePodAnnotations({ metadata, spec }: PodLike, path: Path, errors: FieldErrors): void {
  const { annotations = {} } = metadata
  if (annotations[mirror] !== undefined && !spec.nodeName)
    errors.invalid(path.key(mirror), annotations[mirror], 'must set spec.nodeName if mirror pod annotation is set')
  validateTolerationsAnnotation(annotations, path, errors)
  const cost = annotations[deletionCost]
  if (cost !== undefined && !isInt32(cost) && errors.enabled('PodDeletionCost'))
    errors.invalid(path.key(deletionCost), cost, 'must be a 32bit integer')
  let containers: ReadonlySet<string> | undefined
  for (const [key, value] of Object.entries(annotations)) {
    if (key === podSeccomp || key.startsWith(containerSeccomp)) validateSeccomp(value, path.child(key), errors)
    if (!key.startsWith(appArmor)) continue
    containers ??= new Set(containersWithPaths(spec, path).map(([container]) => container.name))
    validateAppArmor(key, value, containers, path, errors)
  }
}

const isInt32 = (text: string) => /^(0|-\d+|[1-9]\d*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31

function validateSeccomp(profile: string, at: Path, errors: FieldErrors): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return
  if (profile.startsWith(localhost)) return validateLocalDescendingPath(profile.slice(localhost.length), at, errors)
  errors.invalid(at, profile, 'must be a valid seccomp profile')
}

function validateAppArmor(key: string, profile: string, containers: ReadonlySet<string>, path: Path, errors: FieldErrors): void {
  const container = key.slice(appArmor.length)
  if (!containers.has(container)) errors.invalid(path.key(key), container, 'container not found')
  if (!['', 'runtime/default', 'unconfined'].includes(profile) && !profile.startsWith(localhost))
    errors.invalid(path.key(key), profile, `invalid AppArmor profile name: ${goQuote(profile)}`)
}

/** Requires that an annotation and the field that replaces it agree. `at` is the spec's path. */
export function validateSeccompMatches({ metadata, spec }: PodLike, at: Path, errors: FieldErrors): void {
  const { annotations = {} } = metadata
  const ofPod = spec.securityContext?.seccompProfile
  if (ofPod) matchSeccomp(annotations[podSeccomp], ofPod, at.child('securityContext', 'seccompProfile'), errors)
  for (const [{ name, securityContext }, place] of containersWithPaths(spec, at)) {
    const profile = securityContext?.seccompProfile
    if (profile)
      matchSeccomp(annotations[containerSeccomp + name], profile, place.child('securityContext', 'seccompProfile'), errors)
  }
}

export function validateAppArmorMatches({ metadata, spec }: PodLike, at: Path, errors: FieldErrors): void {
  const { annotations = {} } = metadata
  if (spec.os?.name === 'windows') return
  for (const [{ name, securityContext }, place] of containersWithPaths(spec, at)) {
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile
    if (profile) matchAppArmor(annotations[appArmor + name], profile, place.child('securityContext', 'appArmorProfile'), errors)
  }
}

function matchSeccomp(annotation: string | undefined, profile: SeccompProfile, at: Path, errors: FieldErrors): void {
  if (annotation !== undefined) matchProfile('seccomp', annotation, profile, ['runtime/default', 'docker/default'], at, errors)
}

function matchAppArmor(annotation: string | undefined, profile: AppArmorProfile, at: Path, errors: FieldErrors): void {
  if (annotation !== undefined) matchProfile('apparmor', annotation, profile, ['runtime/default'], at, errors)
}

function matchProfile(
  what: 'seccomp' | 'apparmor',
  annotation: string,
  { type, localhostProfile }: AppArmorProfile | SeccompProfile,
  runtimeDefaults: readonly string[],
  at: Path,
  errors: FieldErrors
): void {
  const wrongType = () => errors.forbidden(at.child('type'), `${what} type in annotation and field must match`)
  if (type === 'Unconfined' && annotation !== 'unconfined') wrongType()
  if (type === 'RuntimeDefault' && !runtimeDefaults.includes(annotation)) wrongType()
  if (type !== 'Localhost') return
  if (!annotation.startsWith(localhost)) wrongType()
  else if (annotation.slice(localhost.length) !== localhostProfile)
    errors.forbidden(at.child('localhostProfile'), `${what} profile in annotation and field must match`)
}

/** Refuses changes of annotations that are immutable. */
export function validateAnnotationChanges({ metadata }: Pod, old: Pod, path: Path, errors: FieldErrors): void {
  const { annotations: now = {} } = metadata
  const { annotations: before = {} } = old.metadata
  for (const [key, value] of Object.entries(before)) {
    if (now[key] === value) continue
    if (key.startsWith(appArmor)) errors.forbidden(path.key(key), 'may not remove or update AppArmor annotations')
    if (key === mirror) errors.forbidden(path.key(key), 'may not remove or update mirror pod annotation')
  }
  for (const key of Object.keys(now)) {
    if (before[key] !== undefined) continue
    if (key.startsWith(appArmor)) errors.forbidden(path.key(key), 'may not add AppArmor annotations')
    if (key === mirror) errors.forbidden(path.key(key), 'may not add mirror pod annotation')
  }
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** Returns all containers of a Pod with their paths. */
export function containersWithPaths(spec: PodSpec, at: Path): [Container, Path][] {
  const all: [Container, Path][] = []
  for (const field of containerLists) {
    const list: readonly Container[] | null | undefined = spec[field]
    list?.forEach((container, i) => void all.push([container, at.child(field).index(i)]))
  }
  return all
}
