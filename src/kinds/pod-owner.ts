/** Kinds that own Pods share a selector and a template, whose labels it must match. */

import type { PodTemplateSpec } from '../apimachinery/api/generated/core-v1.js'
import type { LabelSelector, ObjectMeta } from '../apimachinery/api/generated/meta-v1.js'
import { given } from '../apimachinery/schema/given.js'
import { formatLabelSelector, labelSelectorMatcher } from '../apimachinery/selectors/labels.js'
import { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { validateLabelSelector } from '../apimachinery/validation/label-selector.js'
import { isDns1123Label } from '../apimachinery/validation/names.js'
import { sortedKeys } from '../util/go-format.js'
import { podWarnings } from './core/pod/warnings.js'
import { validateImmutable } from './immutable.js'

/** What Deployments, ReplicaSets, StatefulSets and DaemonSets have in common; DaemonSets have no replicas. */
interface Owner {
  readonly metadata: ObjectMeta
  readonly spec: {
    replicas?: number | undefined
    readonly selector?: LabelSelector | undefined
    readonly template: PodTemplateSpec
  }
  readonly status: { readonly replicas?: number | undefined; readonly observedGeneration?: number | undefined }
}

/** Returns the labels sorted, as Go prints a map. */
export function labelsText(labels: Record<string, string> | undefined): Record<string, string> | undefined {
  return labels && Object.fromEntries(sortedKeys(labels).map(key => [key, labels[key]!]))
}

/** Returns the selector as Go prints it. */
export function selectorText(selector: LabelSelector | undefined): LabelSelector | undefined {
  if (!selector) return undefined
  const { matchLabels, ...others } = selector
  return { ...(matchLabels && { matchLabels: labelsText(matchLabels)! }), ...others }
}

/** The scale subresource of an owner. */
export const ownerScale = {
  replicas: ({ spec }: Owner) => spec.replicas ?? 0,
  setReplicas({ spec }: Owner, replicas: number) {
    spec.replicas = replicas
  },
  statusReplicas: ({ status }: Owner) => status.replicas ?? 0,
  selector: ({ spec: { selector } }: Owner) => (isEmptySelector(selector) ? '' : formatLabelSelector(selector))
}

function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && !selector?.matchExpressions?.length
}

/** Validates the selector of an owner. `kind` is the kind's name in the error. */
export function validateOwnerSelector(selector: LabelSelector | undefined, kind: string, path: Path, errors: FieldErrors): void {
  if (!selector) {
    errors.required(path)
    return
  }
  validateLabelSelector(selector, path, errors)
  if (isEmptySelector(selector)) errors.invalid(path, selectorText(selector), `empty selector is invalid for ${kind}`)
}

export function isValidSelector(selector: LabelSelector | undefined): boolean {
  const errors = new FieldErrors()
  validateLabelSelector(selector, Path.of('selector'), errors)
  return !errors.any
}

/** Refuses an update that changes the selector. */
export function validateSelectorUnchanged({ spec: { selector } }: Owner, old: Owner, errors: FieldErrors): void {
  validateImmutable('spec.selector', selector, old.spec.selector, errors, () => selectorText(selector))
}

/**
 * Validates that the selector matches the template's labels. A missing selector matches nothing; an empty one matches everything.
 */
export function validateSelectorMatches(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec,
  path: Path,
  errors: FieldErrors
): void {
  if (selector && isEmptySelector(selector)) return
  const { labels } = template.metadata
  if (!labelSelectorMatcher(selector)(labels ?? {})) {
    errors.invalid(
      path.child('metadata', 'labels'),
      labelsText(given(template.metadata, 'labels')),
      '`selector` does not match template `labels`'
    )
  }
}

/** Requires the restart policy Always for Pods that a controller keeps running. */
export function validateRunsForever({ spec }: PodTemplateSpec, kind: string, path: Path, errors: FieldErrors): void {
  const at = path.child('spec')
  if (spec.restartPolicy !== 'Always') errors.notSupported(at.child('restartPolicy'), spec.restartPolicy, ['Always'])
  if (spec.activeDeadlineSeconds !== undefined)
    errors.forbidden(at.child('activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`)
}

export const containerNames = (template: PodTemplateSpec) => (template.spec.containers ?? []).map(c => c.name).join(',')
export const containerImages = (template: PodTemplateSpec) => (template.spec.containers ?? []).map(c => c.image ?? '').join(',')

/** Warns of a name with which its Pods' names are not DNS labels. */
export function nameWarnings(name: string): string[] {
  const wrong = isDns1123Label(name)
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended'
  return wrong.length === 0 ? [] : [`metadata.name: ${why}: [${wrong.join(' ')}]`]
}

/** The warnings about an owner whose Pods' names begin with its own: about its name when it is new, about its template when the spec has changed. */
export function ownerWarnings(o: Owner, old: Owner | undefined): string[] {
  if (old && o.metadata.generation === old.metadata.generation) return []
  const names = old ? [] : nameWarnings(o.metadata.name ?? '')
  return [...names, ...podWarnings(o.spec.template, Path.of('spec', 'template'))]
}
