/** Defaults and validates the Pod templates of all kinds that create Pods. */
import type { PodTemplateSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateAnnotations, validateLabels } from '../../../apimachinery/validation/object-meta.js'
import { validateAppArmorMatches, validatePodAnnotations, validateSeccompMatches } from './annotations-validation.js'
import { defaultPodSpec } from './spec-defaults.js'
import { validatePodSpec } from './spec-validation.js'

export function defaultPodTemplate(template: PodTemplateSpec): void {
  defaultPodSpec(template.spec)
}

/** `path` is the template's: `spec.template`. `old` is the template before an update. */
export function validatePodTemplate(
  template: PodTemplateSpec,
  path: Path,
  errors: FieldErrors,
  old: PodTemplateSpec | undefined
): void {
  validateLabels(template.metadata.labels, path.child('labels'), errors)
  validateAnnotations(template.metadata.annotations, path.child('annotations'), errors)
  validatePodAnnotations(template, path.child('annotations'), errors)
  validatePodSpec(template.spec, path.child('spec'), errors, undefined, old?.spec)
  validateSeccompMatches(template, path.child('spec'), errors)
  validateAppArmorMatches(template, path.child('spec'), errors)
  if (template.spec.ephemeralContainers?.length)
    errors.forbidden(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template')
}
