/** The options of writes, from query parameters or bodies: CreateOptions, UpdateOptions, PatchOptions, DeleteOptions. */

import { isTrue } from '../../../apimachinery/request/request-info.js'
import { invalid } from '../../../apimachinery/status/status.js'
import { validateDryRun } from '../../../apimachinery/validation/dry-run.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { plainText } from '../../../apimachinery/validation/go-value.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { validateManagerName } from '../../../apimachinery/validation/manager-name.js'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldManager: string | undefined
  readonly fieldValidation: FieldValidation
  /** For apply only: takes over fields that other managers own. */
  readonly force: boolean
}

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn']

/** An apply has PatchOptions, of which it needs more. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'apply'

/** Reads and validates the parameters of a write. Throws 422 with the options' kind. */
export function writeOptions(query: URLSearchParams, of: OptionsKind): WriteOptions {
  const isApply = of === 'apply'
  const kind = isApply ? 'PatchOptions' : of
  if (query.size === 0 && !isApply) return defaults
  const errors = new FieldErrors()
  const force = query.get('force')
  const fieldManager = query.get('fieldManager') ?? undefined
  if (kind === 'PatchOptions') {
    if (isApply && !fieldManager) errors.required('fieldManager', 'is required for apply patch')
    else if (!isApply && force !== null) errors.forbidden('force', 'may not be specified for non-apply patch')
  }
  if (fieldManager) validateManagerName(fieldManager, 'fieldManager', errors)
  const dryRun = validateDryRun(query.getAll('dryRun'), errors)
  const fieldValidation = query.get('fieldValidation') ?? ''
  if (!fieldValidations.includes(fieldValidation))
    errors.notSupported('fieldValidation', plainText(fieldValidation), fieldValidations)
  if (errors.any) throw invalidObject({ group: 'meta.k8s.io', kind }, '', errors)
  return { dryRun, fieldManager, fieldValidation: (fieldValidation || 'Warn') as FieldValidation, force: isTrue(force) }
}

const defaults: WriteOptions = { dryRun: false, fieldManager: undefined, fieldValidation: 'Warn', force: false }

/** Makes the 422 for a patch whose result cannot be decoded: it names no kind, and shows the patch as the invalid value. */
export function invalidPatch(value: string, message: string) {
  const text = `Invalid value: ${value}: ${message}`
  return invalid({ group: '', kind: '' }, '', `patch: ${text}`, [{ reason: 'FieldValueInvalid', message: text, field: 'patch' }])
}
