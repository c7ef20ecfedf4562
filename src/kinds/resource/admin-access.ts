/** Validates admin access to devices that are in use, which only namespaces with a label for it may have. */

import type { DeviceClaim, DeviceRequestAllocationResult } from '../../apimachinery/api/generated/resource-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import type { StrategyContext } from '../../registry/strategy-context.js'

const label = 'resource.kubernetes.io/admin-access'

export function validateAdminAccess({ requests }: DeviceClaim, errors: FieldErrors, context: StrategyContext): void {
  const i = requests?.findIndex(request => request.exactly?.adminAccess) ?? -1
  if (i >= 0) validateNamespace(Path.of('spec', 'devices', 'requests').index(i).child('adminAccess'), errors, context)
}

/** Validates new results: an allocated result does not change. */
export function validateAdminResults(
  results: readonly DeviceRequestAllocationResult[] | undefined,
  old: readonly DeviceRequestAllocationResult[] | undefined,
  errors: FieldErrors,
  context: StrategyContext
): void {
  if (old?.some(result => result.adminAccess)) return
  const i = results?.findIndex(result => result.adminAccess) ?? -1
  if (i < 0) return
  validateNamespace(Path.of('status', 'allocation', 'devices', 'results').index(i).child('adminAccess'), errors, context)
}

function validateNamespace(path: Path, errors: FieldErrors, { namespace, services }: StrategyContext): void {
  const namespaces = services.registry.of(refs.namespaces)
  const found = namespaces.get('', namespace)
  if (!found) errors.internal(path, `could not retrieve namespace to verify admin access: namespaces "${namespace}" not found`)
  else if (namespaces.parse(found).metadata.labels?.[label] !== 'true')
    errors.forbidden(path, `admin access to devices requires the \`${label}: true\` label on the containing namespace`)
}
