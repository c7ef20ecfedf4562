import type { CustomResourceDefinitionVersion, JSONSchemaProps } from '../../apimachinery/api/generated/apiextensions-v1.js'
import { hasProperties, valuesOf } from '../../apimachinery/structural/definition/parts.js'
import { unsupported } from '../../apimachinery/structural/definition/unsupported.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'

const maxSelectableFields = 8
const selectableTypes = ['string', 'boolean', 'integer']

export function validateSelectableFields(
  { selectableFields = [], schema }: CustomResourceDefinitionVersion,
  path: Path,
  schemaPath: Path,
  errors: FieldErrors
): void {
  const notStructural = selectableFields.length > 0 && schema?.openAPIV3Schema && unsupported(schema.openAPIV3Schema)
  if (notStructural) errors.invalid(schemaPath, '', notStructural)
  const seen = new Set<string>()
  selectableFields.forEach(({ jsonPath }, i) => {
    const at = path.index(i).child('jsonPath')
    if (jsonPath === '') {
      errors.required(at)
      return
    }
    const field = fieldAt(schema?.openAPIV3Schema ?? {}, jsonPath)
    // such a schema does not name its fields, so only the path's first step can be validated
    if (notStructural && /^\.[^.[\]]/.test(jsonPath)) return
    if (typeof field === 'string') {
      errors.invalid(at, jsonPath, `is an invalid path: ${field}`)
      return
    }
    if (jsonPath.startsWith('.metadata.') || jsonPath === '.metadata')
      errors.invalid(at, jsonPath, 'must not point to fields in metadata')
    if (!selectableTypes.includes(field.type ?? '')) {
      errors.invalid(
        at,
        jsonPath,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      )
    }
    if (seen.has(jsonPath)) errors.duplicate(at, jsonPath)
    seen.add(jsonPath)
  })
  if (seen.size > maxSelectableFields) errors.tooMany(path, seen.size, maxSelectableFields)
}

/** Returns the schema of the field at a simple path such as ".spec.size", or the error in the path. */
function fieldAt(schema: JSONSchemaProps, jsonPath: string): JSONSchemaProps | string {
  const tokens = jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? []
  let field: JSONSchemaProps | undefined = schema
  for (let i = 0; i < tokens.length; i += 2) {
    if (tokens[i] === '[') return 'array notation is not allowed'
    if (tokens[i] !== '.') return `expected [ or . but got: ${tokens[i]}`
    const name = tokens[i + 1]
    if (name === undefined) return 'unexpected end of JSON path'
    const { properties = {} }: JSONSchemaProps = field
    const values: JSONSchemaProps | undefined = valuesOf(field) ?? (field.additionalProperties === undefined ? undefined : {})
    field = hasProperties(field) ? (Object.hasOwn(properties, name) ? properties[name] : undefined) : values
    if (!field) return 'does not refer to a valid field'
  }
  return field
}
