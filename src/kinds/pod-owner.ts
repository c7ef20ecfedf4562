/** Kinds that own Pods share a selector and a template, whose labels it must match. */

import type { PodTemplateSpec } from '../api/generated/core-v1.js'
import type { LabelSelector } from '../api/generated/meta-v1.js'
import { given } from '../schema/given.js'
import { formatLabelSelector, labelSelectorMatcher } from '../selectors/labels.js'
import { sortedKeys } from '../util/go-format.js'
import { FieldErrors, Path } from '../validation/field.js'
import { validateLabelSelector } from '../validation/label-selector.js'
import { isDns1123Label } from '../validation/names.js'
import { podWarnings } from './core/pod/warnings.js'

/** Labels as Go prints a map: sorted. */
export function labelsText(labels: Record<string, string> | undefined): Record<string, string> | undefined {
  return labels && Object.fromEntries(sortedKeys(labels).map(key => [key, labels[key]!]))
}

/** A selector as Go prints it. */
export function selectorText(selector: LabelSelector | undefined): LabelSelector | undefined {
  if (!selector) return undefined
  const { matchLabels, ...others } = selector
  return { ...(matchLabels && { matchLabels: labelsText(matchLabels)! }), ...others }
}

/** The selector in the text form of the scale subresource. */
export function scaleSelector(selector: LabelSelector | undefined): string {
  return isEmptySelector(selector) ? '' : formatLabelSelector(selector)
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

/** A missing selector matches nothing; an empty one matches everything. */
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

/** Pods that a controller keeps running must have the restart policy Always. */
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

/** The warnings about the template of a new or changed owner. */
export function templateWarnings(template: PodTemplateSpec, path: Path): string[] {
  return podWarnings(template, path)
}
