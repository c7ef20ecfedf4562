import type { PodSpec } from '../../api/generated/core-v1.js'
import type { ObjectMeta } from '../../api/generated/meta-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'

/** `meta` is the Pod's or the template's. */
export function validatePodSpec(spec: PodSpec, path: Path, errors: FieldErrors, _meta: ObjectMeta): void {
  if (!spec.containers?.length) errors.required(path.child('containers'))
}
