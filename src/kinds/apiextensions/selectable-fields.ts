import type { CustomResourceDefinitionVersion, JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'

const maxSelectableFields = 8
const selectableTypes = ['string', 'boolean', 'integer']

export function validateSelectableFields(
  { selectableFields = [], schema }: CustomResourceDefinitionVersion,
  path: Path,
  errors: FieldErrors
): void {
  if (selectableFields.length > maxSelectableFields) errors.tooMany(path, selectableFields.length, maxSelectableFields)
  const seen = new Set<string>()
  selectableFields.forEach(({ jsonPath }, i) => {
    const at = path.index(i).child('jsonPath')
    if (jsonPath === '') {
      errors.required(at)
      return
    }
    const field = schema?.openAPIV3Schema && fieldAt(schema.openAPIV3Schema, jsonPath)
    if (!field) errors.invalid(at, jsonPath, 'is an invalid path: does not refer to a valid field')
    else if (!selectableTypes.includes(field.type ?? '')) {
      errors.invalid(
        at,
        jsonPath,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      )
    }
    if (seen.has(jsonPath)) errors.duplicate(at, jsonPath)
    seen.add(jsonPath)
  })
}

/** The schema of the field at a simple path: ".spec.size". */
function fieldAt(schema: JSONSchemaProps, jsonPath: string): JSONSchemaProps | undefined {
  if (!jsonPath.startsWith('.')) return undefined
  let field: JSONSchemaProps | undefined = schema
  for (const name of jsonPath.slice(1).split('.')) {
    if (!field?.properties || !Object.hasOwn(field.properties, name)) return undefined
    field = field.properties[name]
  }
  return field
}
