import { FieldErrors } from '../../apimachinery/validation/field.js'
import { invalidObject } from '../../apimachinery/validation/invalid.js'
import type { Operation } from './operation.js'

/** Throws when the object refers to objects that the user may not read. Returns undefined for kinds without such references. */
export function validateAccess(operation: Operation, object: any, old: any): Promise<void> | undefined {
  const { strategy } = operation.resource.kind
  return strategy?.validateAccess && operation.subresource === '' ? validate(operation, object, old) : undefined
}

async function validate(operation: Operation, object: any, old: any): Promise<void> {
  const errors = new FieldErrors()
  await operation.resource.kind.strategy!.validateAccess!(object, old, errors, operation)
  if (errors.any) throw invalidObject(operation.groupKind, object.metadata.name ?? '', errors)
}
