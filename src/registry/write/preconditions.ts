/** What a client may require of the present object: its resource version, its uid. */

import { conflict, invalid, plainError, staleResourceVersion } from '../../apimachinery/status/status.js'
import { goQuote } from '../../util/go-format.js'
import type { Operation } from './operation.js'

/**
 * Throws a 409 when the client's object has another resource version than the present one. `mayLackVersion`: an object without one is no
 * unconditional update.
 */
export function checkResourceVersion(
  operation: Operation,
  name: string,
  given: string | undefined,
  present: string | undefined,
  mayLackVersion: boolean
): void {
  if (given === present) return
  const digits = versionDigits(given)
  if (digits === present) return
  if (digits !== '') throw staleResourceVersion(operation.groupResource, name)
  const { allowUnconditionalUpdate: allowed = true } = operation.resource.kind.strategy ?? {}
  const isAllowed = typeof allowed === 'function' ? allowed(operation.version) : allowed
  if (isAllowed || (mayLackVersion && !given)) return
  const what = operation.groupResource
  const message = 'Invalid value: 0: must be specified for an update'
  throw invalid({ group: what.group, kind: what.resource }, name, `metadata.resourceVersion: ${message}`, [
    { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }
  ])
}

/** Returns the digits of a version without leading zeros, so none for 0. Refuses what Go does not read as a uint64. */
export function versionDigits(given = ''): string {
  const problem = versionProblem(given)
  if (problem !== '') throw plainError(`strconv.ParseUint: parsing ${goQuote(given)}: ${problem}`)
  return digitsOf(given)
}

/** Whether Go reads the text as a version other than 0. */
export const isVersion = (given = ''): boolean => versionProblem(given) === '' && digitsOf(given) !== ''

const digitsOf = (given: string) => given.replace(/^0+/, '')

function versionProblem(given: string): string {
  if (given === '') return ''
  if (!/^\d+$/.test(given)) return 'invalid syntax'
  const digits = digitsOf(given)
  return digits.length > 20 || (digits.length > 19 && BigInt(digits) >= 2n ** 64n) ? 'value out of range' : ''
}

export const wrongUid = (operation: Operation, name: string, given: string, uid: string | undefined) =>
  preconditionFailed(operation, name, `UID in precondition: ${given}, UID in object meta: ${uid ?? ''}`)

/** Makes the error of a precondition that kube-apiserver checks in its store. */
export function preconditionFailed(operation: Operation, name: string, what: string) {
  const { resource } = operation
  // a dry run does not reach the store, which adds its prefix to the key
  const prefix = operation.dryRun ? resource.prefix.slice(resource.store.root.length) : resource.prefix
  const key = prefix + resource.key(operation.namespace, name)
  return conflict(
    operation.groupResource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what}`
  )
}
