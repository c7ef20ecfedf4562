/** Validates the object: the checks that a kind lists, in their order. */
import { inTurns } from '../../../apimachinery/cel/compile-turns.js'
import type { GroupKind } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { anyName } from '../../../apimachinery/validation/names.js'
import {
  validateGenericMeta,
  validateKindsMetaUpdate,
  validateObjectMeta,
  validateObjectMetaUpdate
} from '../../../apimachinery/validation/object-meta.js'
import { checkKind } from '../../../apimachinery/validation/wrong-kind.js'
import { own } from '../../../util/json.js'
import { nextTurn } from '../../../util/turns.js'
import { type StatusCheck, type UpdateCheck, usualCreateChecks, usualStatusChecks, usualUpdateChecks } from '../../checks.js'
import type { AnyObject, KindDefinition } from '../../kind.js'
import type { Strategy } from '../../strategy.js'
import { validateAccess } from '../access.js'
import { sameSpelling } from '../compare.js'
import { type Operation, statusOf } from '../operation.js'
import { metadataProblem } from '../unread.js'
import { validateDeclared } from '../validate-declared.js'
import type { Found, Missing, Prepared } from './value.js'

export async function validateNew({ operation, object, permit }: Prepared<Missing>): Promise<void> {
  const validating = inTurns(
    () => validateCreate(operation, object),
    () => operation.origin.throwIfAborted()
  )
  if (validating) await validating
  if (operation.isLarge) await nextTurn()
  const access = validateAccess(operation, object, undefined)
  if (access) await access
  if (permit) await permit()
}

export async function validateChanges({ operation, object, old }: Prepared<Found>): Promise<void> {
  const validating = validateUpdate(operation, object, sameSpelling(operation, object, old))
  if (validating) await validating
  const access = validateAccess(operation, object, old)
  if (access) await access
}

function validateCreate(operation: Operation, object: AnyObject): void {
  const { kind } = operation.resource
  const { strategy } = kind
  const errors = new FieldErrors(operation.services.features, operation.services.allowPrivileged)
  const other = checkKind(kind, object, errors)
  const usual = strategy?.createChecks ?? usualCreateChecks
  const checks = other ? usual.filter(check => check !== 'objectMeta') : usual
  const runNew = (check: (typeof checks)[number]) => {
    if (check === 'objectMeta') validateNewMeta(kind, object, errors)
    else if (check === 'validate') strategy?.validate?.(object, errors, operation)
    else strategy?.validateCreate?.(object, errors, operation)
  }
  for (const check of checks) errors.collect(() => runNew(check))
  errors.collect(() => validateDeclared(operation, object, undefined, errors))
  // an object whose metadata is valid for its kind is valid for all kinds, except for its generateName
  const isUnchecked = object.metadata.generateName || kind.validateName === anyName || !checks.includes('objectMeta')
  if (isUnchecked && !errors.any) errors.collect(() => validateGenericMeta(object.metadata, errors))
  conclude(operation, object, undefined, errors, strategy, other)
}

function validateNewMeta(kind: KindDefinition, object: AnyObject, errors: FieldErrors): void {
  const problem = metadataProblem(object)
  if (problem) errors.invalid('metadata', problem.metadata, problem.why)
  else validateKindsMeta(kind, object, errors)
}

const extensionGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io'])

/** Validates metadata as the kind does: custom resources and the kinds of extension servers by generic code, which gives an error once. */
function validateKindsMeta(kind: KindDefinition, object: AnyObject, errors: FieldErrors): void {
  if (kind.custom || extensionGroups.has(kind.group)) errors.distinct(once => validateObjectMeta(kind, object, once))
  else validateObjectMeta(kind, object, errors)
}

/** Throws a 422 for an invalid update, or adds its warnings. `old` has its values spelled as in `object`. */
export function validateUpdate(operation: Operation, object: AnyObject, old: AnyObject): Promise<void> | undefined {
  if (operation.subresource === 'status') return validateStatus(operation, object, old)
  const { others } = operation.resource.kind.subresources ?? {}
  const { strategy } = operation.resource.kind
  const checks = own(others, operation.subresource)?.updateChecks ?? strategy?.updateChecks ?? usualUpdateChecks
  return inTurns(
    () => {
      const errors = new FieldErrors(operation.services.features, operation.services.allowPrivileged)
      errors.collect(() => validateMeta(object, old, errors))
      const other = checkKind(operation.resource.kind, object, errors)
      const applicable = other ? withoutMeta(checks) : checks
      for (const check of applicable) errors.collect(() => runCheck(check, operation, object, old, errors))
      errors.collect(() => validateDeclared(operation, object, old, errors))
      conclude(operation, object, old, errors, strategy, other)
    },
    () => operation.origin.throwIfAborted()
  )
}

function validateStatus(operation: Operation, object: AnyObject, old: AnyObject): Promise<void> | undefined {
  let pending: Promise<void> | undefined
  const validate = () => void (pending = validateStatusNow(operation, object, old))
  const validating = inTurns(validate, () => operation.origin.throwIfAborted())
  return validating ? validating.then(() => pending) : pending
}

function validateStatusNow(operation: Operation, object: AnyObject, old: AnyObject): Promise<void> | undefined {
  const status = statusOf(operation)
  const checks: readonly StatusCheck[] = status?.updateChecks ?? usualStatusChecks
  const errors = new FieldErrors(operation.services.features, operation.services.allowPrivileged)
  errors.collect(() => validateMeta(object, old, errors))
  const validateOwn = () => status?.validateUpdate?.(object, old, errors, operation) ?? undefined
  const other = checkKind(operation.resource.kind, object, errors)
  let pending: Promise<void> | undefined
  for (const check of other ? withoutMeta(checks) : checks) {
    const run = check === 'validateUpdate' ? validateOwn : () => runCheck(check, operation, object, old, errors)
    pending = pending ? pending.then(() => errors.collect(run)) : (errors.collect(run) ?? undefined)
  }
  const validateRest = () => errors.collect(() => validateDeclared(operation, object, old, errors))
  if (pending) return pending.then(validateRest).then(() => conclude(operation, object, old, errors, status, other))
  validateRest()
  conclude(operation, object, old, errors, status, other)
  return undefined
}

/** The metadata of an object of another kind is validated as the generic code does, and no further. */
const withoutMeta = <Check extends UpdateCheck>(checks: readonly Check[]) =>
  checks.filter(check => check !== 'objectMeta' && check !== 'objectMetaUpdate')

/** Validates metadata as the generic code does for all kinds. The kind's checks may do so again, and then add a second cause. */
function validateMeta(object: AnyObject, old: AnyObject, errors: FieldErrors): void {
  validateGenericMeta(object.metadata, errors)
  validateObjectMetaUpdate(object.metadata, old.metadata, errors)
}

function runCheck(check: UpdateCheck, operation: Operation, object: AnyObject, old: AnyObject, errors: FieldErrors): void {
  const { kind } = operation.resource
  const problem = check === 'objectMetaUpdate' ? metadataProblem(object) : undefined
  if (problem) errors.invalid('metadata', problem.metadata, problem.why)
  else if (check === 'objectMetaUpdate' && kind.custom)
    errors.distinct(once => validateKindsMetaUpdate(kind, object.metadata, old.metadata, once))
  else if (check === 'objectMeta') validateKindsMeta(kind, object, errors)
  else if (check === 'objectMetaUpdate') validateKindsMetaUpdate(kind, object.metadata, old.metadata, errors)
  else if (check === 'validate') kind.strategy?.validate?.(object, errors, operation, old)
  else kind.strategy?.validateUpdate?.(object, old, errors, operation)
}

/** Throws a 422 if there are errors, else adds the warnings. */
function conclude(
  operation: Operation,
  object: AnyObject,
  old: AnyObject | undefined,
  errors: FieldErrors,
  strategy: Pick<Strategy<any>, 'warnings'> | undefined,
  other: GroupKind | undefined
): void {
  if (errors.any) throw invalidObject(other ?? operation.groupKind, object.metadata.name ?? '', errors)
  for (const warning of strategy?.warnings?.(object, old, operation) ?? []) operation.warn(warning)
}
