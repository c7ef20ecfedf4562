import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { given } from '../../schema/given.js'
import { FieldErrors, type Path } from '../../validation/field.js'
import { structuralSchema } from '../structural.js'
import { type DefaultRules, validateDefaults } from './defaults.js'
import { goFields, internalFields, schemaText } from './internal-text.js'
import { type NodeValidator, validateOpenApi } from './openapi.js'
import { validateStructural } from './structural.js'
import { unsupported } from './unsupported.js'

/** Validates x-kubernetes-validations. */
export interface SchemaRules {
  /** Validates the rules of one schema, as far as that needs no compiler. */
  readonly declared?: NodeValidator
  /** Validates a default against the rules of its schema. */
  readonly ofDefault?: DefaultRules
  /** Validates all rules of a structural schema without errors in its defaults; `problems` are its other errors. */
  readonly compiled?: (root: JSONSchemaProps, path: Path, problems: FieldErrors, errors: FieldErrors) => void
}

/** Validates the schema of a version. `path` leads to its openAPIV3Schema. */
export function validateSchema(
  schema: JSONSchemaProps,
  path: Path,
  hasStatus: boolean,
  errors: FieldErrors,
  rules: SchemaRules = {}
): void {
  const before = errors.list.length
  if (hasStatus) validateRootFields(schema, path, errors)
  if (schema.nullable) errors.forbidden(path.child('nullable'), 'nullable cannot be true at the root')

  const form = new FieldErrors()
  const notStructural = unsupported(schema)
  if (!notStructural) {
    validateStructural(schema, path, form)
    if (!form.any) validateDefaults(structuralSchema(schema), path, form, rules.ofDefault)
  }
  const problems = new FieldErrors()
  validateOpenApi(schema, path, problems, rules.declared)
  errors.addAll(form.list)
  errors.addAll(problems.list)
  if (!notStructural && !form.any) rules.compiled?.(schema, path, problems, errors)
  // a schema without structural form usually has other errors, which name the place
  if (notStructural && errors.list.length === before) errors.invalid(path, '', notStructural)
}

/** With a status subresource, the schema of the whole object may have only these fields. */
const rootFields =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'.split(
    ' '
  )

function validateRootFields(schema: JSONSchemaProps, path: Path, errors: FieldErrors): void {
  const fields = goFields()
  for (const name of internalFields) {
    // an empty list counts, too
    if (given(schema, fields.get(name)!.name as keyof JSONSchemaProps) === undefined) continue
    if (name === 'Type' && schema.type !== 'object') {
      errors.invalid(
        path.child('type'),
        schema.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
      )
      return
    }
    if (!rootFields.includes(name)) {
      errors.invalid(
        path,
        schemaText(schema),
        `only [${rootFields.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
      )
      return
    }
  }
}
