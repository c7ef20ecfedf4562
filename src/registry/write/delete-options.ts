import { validateDryRun } from '../../apimachinery/validation/dry-run.js'
import type { FieldErrors } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { invalidObject } from '../../apimachinery/validation/invalid.js'

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined
  readonly orphanDependents?: boolean | undefined
  /** Removes an object that cannot be read from the store, and no other. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined
}

const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential'

const policies = ['Foreground', 'Background', 'Orphan'] as const

export const invalidDeleteOptions = (errors: FieldErrors) =>
  invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)

/** Validates the options. Returns whether the request is a dry run. */
export function validateDeleteOptions(options: DeleteOptions & { dryRun?: readonly string[] }, errors: FieldErrors): boolean {
  const { propagationPolicy, orphanDependents } = options
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.invalid(
      'propagationPolicy',
      namedText(propagationPolicy),
      'orphanDependents and deletionPropagation cannot be both set'
    )
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy))
    errors.notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil'])
  const isDryRun = validateDryRun(options.dryRun ?? [], errors)
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential)
    for (const field of ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const)
      if (options[field] !== undefined) errors.invalid(unsafe, true, `cannot be set together with .${field}`)
  return isDryRun
}
