/** Validates the selector and the template of Deployments and ReplicaSets. */
import type { PodTemplateSpec } from '../../apimachinery/api/generated/core-v1.js'
import type { LabelSelector } from '../../apimachinery/api/generated/meta-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validatePodTemplate } from '../core/pod/template.js'
import {
  isValidSelector,
  selectorText,
  validateOwnerSelector,
  validateRunsForever,
  validateSelectorMatches
} from '../pod-owner.js'

interface ReplicaSpec {
  readonly selector?: LabelSelector | undefined
  readonly template: PodTemplateSpec
}

export function validateReplicaTemplate(
  { selector, template }: ReplicaSpec,
  path: Path,
  errors: FieldErrors,
  old: ReplicaSpec | undefined
): void {
  validateOwnerSelector(selector, 'deployment', path.child('selector'), errors)
  if (!isValidSelector(selector)) {
    errors.invalid(path.child('selector'), selectorText(selector), 'invalid label selector')
    return
  }
  const at = path.child('template')
  validateSelectorMatches(selector, template, at, errors)
  validatePodTemplate(template, at, errors, old?.template)
  validateRunsForever(template, 'ReplicaSet', at, errors)
}
