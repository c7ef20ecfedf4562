import { FieldErrors } from '../../validation/field.js'
import { invalidObject } from '../../validation/invalid.js'
import type { Operation } from './operation.js'

/** Refuses an object that refers to what its writer may not see. Undefined for most kinds: there is nothing to wait for. */
export function judgeAccess(operation: Operation, object: any, old: any): Promise<void> | undefined {
  const { validateAccess } = operation.resource.kind
  return validateAccess && operation.subresource === '' ? judge(operation, object, old) : undefined
}

async function judge(operation: Operation, object: any, old: any): Promise<void> {
  const errors = new FieldErrors()
  await operation.resource.kind.validateAccess!(object, old, errors, operation)
  if (errors.any) throw invalidObject(operation.groupKind, object.metadata.name ?? '', errors)
}
