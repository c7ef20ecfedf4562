import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { branchesOf, itemsOf, propertiesOf } from './parts.js'

/** Fields and items that a root-level junctor mentions must be declared outside of it. */
export function validateCompleteness(schema: JSONSchemaProps, path: Path, errors: FieldErrors): void {
  validateJunctors(schema, path, schema, path, errors)
}

/** `validations` is the junctor's schema of a value; `schema` is the value's declaration. */
function validateJunctors(
  validations: JSONSchemaProps,
  validationsPath: Path,
  schema: JSONSchemaProps,
  path: Path,
  errors: FieldErrors
): void {
  for (const junctor of ['not', 'allOf', 'anyOf', 'oneOf'] as const)
    for (const branch of branchesOf(validations, junctor, validationsPath))
      validateBranch(branch.schema, branch.path, schema, path, errors)
}

function validateBranch(
  branch: JSONSchemaProps,
  branchPath: Path,
  schema: JSONSchemaProps | undefined,
  path: Path,
  errors: FieldErrors
): void {
  if (!schema) {
    errors.required(path, `because it is defined in ${branchPath}`)
    return
  }
  validateJunctors(branch, branchPath, schema, path, errors)
  const items = itemsOf(branch)
  if (items) validateBranch(items, branchPath.child('items'), itemsOf(schema), path.child('items'), errors)
  const { properties = {} } = schema
  for (const { name, schema: field, path: fieldPath } of propertiesOf(branch, branchPath)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
    validateBranch(field, fieldPath, declared, path.child('properties').key(name), errors)
  }
}
