import type { CustomResourceDefinitionNames } from '../../api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1035Label } from '../../validation/names.js'

export function validateNames(names: CustomResourceDefinitionNames, at: Path, errors: FieldErrors): void {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  for (const [field, value] of Object.entries({ plural, singular, kind, listKind }))
    if (value === '') errors.required(at.child(field))
  for (const [field, value] of Object.entries({ plural, singular })) {
    if (value !== '') for (const e of isDns1035Label(value)) errors.invalid(at.child(field), value, e)
  }
  for (const [field, value] of Object.entries({ kind, listKind })) {
    if (value !== '')
      for (const e of isDns1035Label(value.toLowerCase()))
        errors.invalid(at.child(field), value, `may have mixed case, but should otherwise match: ${e}`)
  }
  shortNames.forEach((name, i) => {
    for (const e of isDns1035Label(name)) errors.invalid(at.child('shortNames').index(i), name, e)
  })
  if (kind !== '' && kind === listKind) errors.invalid(at.child('listKind'), listKind, 'kind and listKind may not be the same')
  categories.forEach((name, i) => {
    for (const e of isDns1035Label(name)) errors.invalid(at.child('categories').index(i), name, e)
  })
}
