import type { CustomResourceSubresourceScale } from '../../api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'

export function validateScale(scale: CustomResourceSubresourceScale | undefined, at: Path, errors: FieldErrors): void {
  if (!scale) return
  validateReplicasPath(scale.specReplicasPath, '.spec', at.child('specReplicasPath'), errors)
  validateReplicasPath(scale.statusReplicasPath, '.status', at.child('statusReplicasPath'), errors)
  const { labelSelectorPath: selector = '' } = scale
  if (selector !== '' && !selector.startsWith('.spec.') && !selector.startsWith('.status.')) {
    errors.invalid(at.child('labelSelectorPath'), selector, 'should be a json path under either .spec or .status')
  }
}

function validateReplicasPath(jsonPath: string, root: string, at: Path, errors: FieldErrors): void {
  if (jsonPath === '') errors.required(at)
  else if (!jsonPath.startsWith(`${root}.`)) errors.invalid(at, jsonPath, `should be a json path under ${root}`)
}
