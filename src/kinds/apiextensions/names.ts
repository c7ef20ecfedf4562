import type { CustomResourceDefinitionNames } from '../../apimachinery/api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1035Label } from '../../apimachinery/validation/names.js'

export function validateNames(names: CustomResourceDefinitionNames, at: Path, errors: FieldErrors): void {
  const { plural, singular = '', kind, listKind = '' } = names
  for (const [field, value] of Object.entries({ plural, singular, kind, listKind }))
    if (value === '') errors.required(at.child(field))
  validateNameForms(names, at, errors)
}

/** Validates the names that are set. In the status, all may be missing. */
export function validateNameForms(names: CustomResourceDefinitionNames, at: Path, errors: FieldErrors): void {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  for (const [field, value] of Object.entries({ plural, singular }))
    if (value !== '') validateLabel(value, at.child(field), errors)
  for (const [field, value] of Object.entries({ kind, listKind })) {
    const wrong = isDns1035Label(value.toLowerCase())
    if (value !== '' && wrong.length > 0)
      errors.invalid(at.child(field), value, `may have mixed case, but should otherwise match: ${wrong.join(',')}`)
  }
  shortNames.forEach((name, i) => {
    validateLabel(name, at.child('shortNames').index(i), errors)
  })
  if (kind !== '' && kind === listKind) errors.invalid(at.child('listKind'), listKind, 'kind and listKind may not be the same')
  categories.forEach((name, i) => {
    validateLabel(name, at.child('categories').index(i), errors)
  })
}

/** Reports all problems of a name as one error. */
export function validateLabel(name: string, path: Path, errors: FieldErrors): void {
  const wrong = isDns1035Label(name)
  if (wrong.length > 0) errors.invalid(path, name, wrong.join(','))
}
