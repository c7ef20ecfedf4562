/** Validates readiness gates, scheduling gates, the scheduling group and resource claims of a Pod. */
import type {
  PodReadinessGate,
  PodResourceClaim,
  PodSchedulingGate,
  PodSchedulingGroup
} from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { internalText } from '../../../apimachinery/validation/internal-text.js'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName } from '../../../apimachinery/validation/names.js'

export function validateReadinessGates(gates: readonly PodReadinessGate[], path: Path, errors: FieldErrors): void {
  gates.forEach(({ conditionType }, i) => {
    for (const e of isQualifiedName(conditionType)) errors.invalid(path.index(i).child('conditionType'), conditionType, e)
  })
}

export function validateSchedulingGates(gates: readonly PodSchedulingGate[], path: Path, errors: FieldErrors): void {
  const names = new Set<string>()
  gates.forEach(({ name }, i) => {
    for (const e of isQualifiedName(name)) errors.invalid(path.index(i), name, e)
    if (names.has(name)) errors.duplicate(path.index(i), name)
    names.add(name)
  })
}

/** Validates the name of the PodGroup to which a Pod belongs. */
export function validateSchedulingGroup({ podGroupName }: PodSchedulingGroup, path: Path, errors: FieldErrors): void {
  const at = path.child('podGroupName')
  if (podGroupName === undefined) errors.invalid(at, null, 'must specify one of: `podGroupName`')
  else for (const e of isDns1123Subdomain(podGroupName)) errors.invalid(at, podGroupName, e)
}

/** Returns the claims' names. `ofStatic` says that the Pod mirrors a static one, which may not have claims at all. */
export function validateResourceClaims(
  claims: readonly PodResourceClaim[],
  ofStatic: boolean,
  path: Path,
  errors: FieldErrors
): string[] {
  const names = new Set<string>()
  claims.forEach((claim, i) => {
    if (ofStatic) {
      names.add(claim.name)
      errors.forbidden('[]', 'static pods do not support resource claims')
      return
    }
    const at = path.index(i)
    if (claim.name === '') errors.required(at.child('name'))
    else if (names.has(claim.name)) errors.duplicate(at.child('name'), claim.name)
    else for (const e of isDns1123Label(claim.name)) errors.invalid(at.child('name'), claim.name, e)
    names.add(claim.name)
    const { resourceClaimName, resourceClaimTemplateName } = claim
    const shown = () => internalText('core.v1.PodResourceClaim', claim)
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      errors.invalid(at, shown(), 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified')
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      errors.invalid(at, shown(), 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const name = claim[field]
      if (name !== undefined) for (const e of isDns1123Subdomain(name)) errors.invalid(at.child(field), name, e)
    }
  })
  names.delete('')
  return [...names]
}
