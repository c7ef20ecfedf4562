/** Validates changes of a Pod. */

import type {
  Affinity,
  Container,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Toleration
} from '../../../apimachinery/api/generated/core-v1.js'
import { cloneGiven, forgetEmpties, given } from '../../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { internalListText, internalText } from '../../../apimachinery/validation/internal-text.js'
import { equalJson } from '../../../util/json.js'
import { specChanges } from '../spec-changes.js'
import { mayCompare, validateTolerations } from './toleration-validation.js'

const spec = Path.of('spec')
const maxInt32 = 2147483647

const onlyThese =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

export function validatePodUpdate(pod: Pod, old: Pod, errors: FieldErrors): void {
  for (const field of ['containers', 'initContainers'] as const) {
    if ((pod.spec[field]?.length ?? 0) !== (old.spec[field]?.length ?? 0))
      return errors.forbidden(spec.child(field), 'pod updates may not add or remove containers')
    pod.spec[field]?.forEach(
      (container, i) => void validateNewImage(container, spec.child(field).index(i).child('image'), errors)
    )
  }
  if (!validateDeadline(pod.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds, errors)) return
  const tolerations = spec.child('tolerations')
  if (onlyAdds(pod.spec.tolerations ?? [], old.spec.tolerations ?? []))
    validateTolerations(pod.spec.tolerations ?? [], tolerations, errors, mayCompare(old.spec, errors))
  else errors.forbidden(tolerations, 'existing toleration can not be modified except its tolerationSeconds')
  const gates = new Set(old.spec.schedulingGates?.map(g => g.name))
  // of gates with the same name, the last one counts
  const last = new Map(pod.spec.schedulingGates?.map(({ name }, i) => [name, i]))
  pod.spec.schedulingGates?.forEach(({ name }, i) => {
    if (!gates.has(name) && last.get(name) === i)
      errors.forbidden(
        spec.child('schedulingGates').index(i).child('name'),
        `only deletion is allowed, but found new scheduling gate '${name}'`
      )
  })
  if (equalJson(pod.spec, old.spec)) return
  const rest = withoutMutable(pod.spec, old.spec)
  if (gates.size > 0) {
    if (!onlyAddsKeys(rest.nodeSelector, old.spec.nodeSelector)) {
      errors.invalid(
        spec.child('nodeSelector'),
        given(pod.spec, 'nodeSelector'),
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
      )
    }
    take(rest, old.spec, 'nodeSelector')
    validateNodeAffinityChange(pod.spec.affinity, old.spec.affinity, errors)
    takeNodeAffinity(rest, old.spec)
  }
  if (!equalJson(rest, old.spec)) errors.forbidden(spec, `${onlyThese}\n${specChanges('core.v1.PodSpec', old.spec, rest)}`)
}

/** Whether a Pod mirrors a static Pod of its node. */
export const isStatic = ({ metadata }: Pod): boolean => metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined

function validateNewImage({ image }: Container, path: Path, errors: FieldErrors): void {
  if (!image) errors.required(path)
  else if (image !== image.trim()) errors.invalid(path, image, 'must not have leading or trailing whitespace')
}

/** Returns whether the other fields need to be validated. */
function validateDeadline(now: number | undefined, before: number | undefined, errors: FieldErrors): boolean {
  const path = spec.child('activeDeadlineSeconds')
  if (now === undefined) {
    if (before !== undefined) errors.invalid(path, undefined, 'must not update from a positive integer to nil value')
    return true
  }
  if (now < 0 || now > maxInt32) errors.invalid(path, now, `must be between 0 and ${maxInt32}, inclusive`)
  else if (before !== undefined && before < now) errors.invalid(path, now, 'must be less than or equal to previous value')
  else return true
  return false
}

function onlyAdds(now: readonly Toleration[], before: readonly Toleration[]): boolean {
  const withoutTime = ({ key, operator, value, effect }: Toleration) => JSON.stringify([key, operator, value, effect])
  const present = new Set(now.map(withoutTime))
  return before.every(old => present.has(withoutTime(old)))
}

function onlyAddsKeys(now: Record<string, string> | undefined, before: Record<string, string> | undefined): boolean {
  return Object.entries(before ?? {}).every(([key, value]) => now && Object.hasOwn(now, key) && now[key] === value)
}

function take<K extends keyof PodSpec>(target: PodSpec, from: PodSpec, field: K): void {
  forgetEmpties(target, field)
  if (from[field] === undefined) delete target[field]
  else target[field] = from[field]
}

/** The new spec with the old values of all fields that may change. */
function withoutMutable(now: PodSpec, before: PodSpec): PodSpec {
  const rest = cloneGiven(now)
  for (const field of ['containers', 'initContainers'] as const) {
    // Go makes the list anew, which then is nil where it has no members
    forgetEmpties(rest, field)
    rest[field]?.forEach((container, i) => {
      const image = before[field]?.[i]?.image
      if (image === undefined) delete container.image
      else container.image = image
    })
  }
  for (const field of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'] as const) take(rest, before, field)
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && now.terminationGracePeriodSeconds === 1)
    take(rest, before, 'terminationGracePeriodSeconds')
  return rest
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution'

/** A Pod with scheduling gates may narrow down its nodes. */
function validateNodeAffinityChange(now: Affinity | undefined, before: Affinity | undefined, errors: FieldErrors): void {
  const old = before?.nodeAffinity?.[requiredTerms]?.nodeSelectorTerms
  if (!old?.length) return
  const terms = now?.nodeAffinity?.[requiredTerms]?.nodeSelectorTerms
  const path = spec.child('affinity', 'nodeAffinity', requiredTerms, 'nodeSelectorTerms')
  const shown = () => (terms ? internalListText('core.v1.NodeSelectorTerm', terms) : null)
  if (terms?.length !== old.length)
    return errors.invalid(path, shown(), 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')
  terms.forEach((term, i) => {
    if (!onlyNarrows(term, old[i]!))
      errors.invalid(
        path.index(i),
        internalText('core.v1.NodeSelectorTerm', term),
        'only additions are allowed (no mutations or deletions)'
      )
  })
}

function onlyNarrows(now: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  if (
    !before.matchExpressions?.length &&
    !before.matchFields?.length &&
    (now.matchExpressions?.length || now.matchFields?.length)
  )
    return false
  return (['matchExpressions', 'matchFields'] as const).every(field =>
    (before[field] ?? []).every((requirement, i) => equalJson(requirement, now[field]?.[i]))
  )
}

function takeNodeAffinity(target: PodSpec, from: PodSpec): void {
  const { nodeAffinity: _, ...others } = target.affinity ?? {}
  const nodeAffinity = from.affinity?.nodeAffinity
  const affinity = nodeAffinity ? { ...others, nodeAffinity } : others
  if (Object.keys(affinity).length === 0 && !from.affinity) delete target.affinity
  else target.affinity = affinity
}

export function validateEphemeralContainersUpdate(pod: Pod, old: Pod, errors: FieldErrors): void {
  if (isStatic(old)) return errors.only(() => void errors.forbidden('[]', 'static pods do not support ephemeral containers'))
  const path = spec.child('ephemeralContainers')
  const now = new Map(pod.spec.ephemeralContainers?.map(c => [c.name, c]))
  for (const container of old.spec.ephemeralContainers ?? []) {
    const name = JSON.stringify(container.name)
    const next = now.get(container.name)
    if (!next) errors.forbidden(path, `existing ephemeral containers ${name} may not be removed\n`)
    else if (!equalJson(next, container))
      errors.forbidden(
        path,
        `existing ephemeral containers ${name} may not be changed\n${specChanges('core.v1.EphemeralContainer', container, next)}`
      )
  }
}
