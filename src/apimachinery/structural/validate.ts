import type { JsonObject } from '../../util/json.js'
import { FieldErrors, Path } from '../validation/field.js'
import { embeddedCheck } from './embedded.js'
import { listTypesCheck } from './list-types.js'
import type { StructuralSchema } from './structural.js'
import { Run } from './validation-run.js'
import { compileCheck } from './value-check.js'

/**
 * Validates a custom resource. `old` is its earlier state on an update. `afterValues` runs after the validation of values and
 * before that of embedded objects and of duplicate items. Without `values`, only these two are validated.
 */
export type ValueValidator = (
  object: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  afterValues?: () => void,
  values?: boolean
) => void

/** Validates custom resources by their schema, except for metadata and CEL rules. */
export function valueValidator(schema: StructuralSchema): ValueValidator {
  const validateValue = valueCheck(schema)
  const checkEmbedded = embeddedCheck(schema)
  const checkLists = ratchetedListTypes(schema)
  return (object, old, errors, afterValues, values = true) => {
    if (values) {
      validateValue(object, old, undefined, errors)
      afterValues?.()
    }
    checkEmbedded?.(object, undefined, errors)
    checkLists?.(object, old, errors)
  }
}

/** As valueValidator, for updates through the status subresource: only the schema of the status applies. */
export function statusValidator(schema: StructuralSchema): ValueValidator {
  const status = schema.properties?.get('status')
  const validateStatus = status && valueCheck(status)
  const checkLists = ratchetedListTypes(schema)
  const path = Path.of('status')
  return (object, old, errors, afterValues, values = true) => {
    if (values && Object.hasOwn(object, 'status')) validateStatus?.(object.status, old?.status, path, errors)
    if (values) afterValues?.()
    checkLists?.(object, old, errors)
  }
}

/** Validates one value; `path` is the place of its errors. On an update, unchanged values are accepted. */
export function valueCheck(
  schema: StructuralSchema,
  options?: { literal: boolean }
): (value: unknown, old: unknown, path: Path | undefined, errors: FieldErrors) => void {
  const check = compileCheck(schema.source, options)
  return (value, old, path, errors) => {
    let run = new Run(errors.floats, path)
    check(value, run)
    if (run.failures.length > 0 && old !== undefined) {
      run = new Run(errors.floats, path)
      check(value, run, old)
    }
    run.report(errors, path)
  }
}

/** If the old object has duplicate items, from a time when the schema allowed them, the new object may have duplicates, too. */
function ratchetedListTypes(schema: StructuralSchema): ValueValidator | undefined {
  const check = listTypesCheck(schema)
  if (!check) return undefined
  return (object, old, errors) => {
    const found = new FieldErrors()
    check(object, found)
    if (found.any && old) {
      const before = new FieldErrors()
      check(old, before)
      if (before.any) return
    }
    errors.addAll(found.list)
  }
}
