import type { ObjectMeta } from '../apimachinery/api/generated/meta-v1.js'
import { asGiven } from '../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { validateAnnotations, validateLabels } from '../apimachinery/validation/object-meta.js'
import { inGoOrder } from './metadata-order.js'

const allowed = new Set(['annotations', 'labels'])

/** The names of fields in Go, with a lower-case first letter, where they differ. */
const goNames: Readonly<Record<string, string>> = { uid: 'uID' }

/** Validates the metadata that objects get from a template, which may have labels and annotations only. */
export function validateTemplateMetadata(metadata: ObjectMeta, path: Path, errors: FieldErrors): void {
  validateAnnotations(metadata.annotations, path.child('annotations'), errors)
  validateLabels(metadata.labels, path.child('labels'), errors)
  for (const [field, value] of Object.entries(inGoOrder(asGiven(metadata)))) {
    const none = value === '' || (field === 'generation' && value === 0)
    if (!allowed.has(field) && !none) errors.forbidden(path.child(goNames[field] ?? field), 'cannot be set')
  }
}
