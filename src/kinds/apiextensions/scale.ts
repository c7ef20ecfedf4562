import type { CustomResourceSubresourceScale } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'

export function validateScale(scale: CustomResourceSubresourceScale | undefined, at: Path, errors: FieldErrors): void {
  if (!scale) return
  validateReplicasPath(scale.specReplicasPath, '.spec', at.child('specReplicasPath'), errors)
  validateReplicasPath(scale.statusReplicasPath, '.status', at.child('statusReplicasPath'), errors)
  const { labelSelectorPath: selector = '' } = scale
  const path = at.child('labelSelectorPath')
  if (selector !== '' && !validateSimplePath(selector, path, errors)) return
  if (selector !== '' && !selector.startsWith('.spec.') && !selector.startsWith('.status.')) {
    errors.invalid(path, namedText(selector), 'should be a json path under either .spec or .status')
  }
}

function validateReplicasPath(jsonPath: string, root: string, at: Path, errors: FieldErrors): void {
  if (jsonPath === '') errors.required(at)
  else if (validateSimplePath(jsonPath, at, errors) && !jsonPath.startsWith(`${root}.`))
    errors.invalid(at, jsonPath, `should be a json path under ${root}`)
}

/** Adds an error unless the path is a simple one. Returns whether it is. */
export function validateSimplePath(jsonPath: string, at: Path, errors: FieldErrors): boolean {
  if (jsonPath.startsWith('.')) return true
  errors.invalid(at, jsonPath, 'must be a simple json path starting with .')
  return false
}
