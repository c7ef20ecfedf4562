/** What a PodGroup has in common with the templates of a Workload: how the Pods of a group are scheduled. */
import type {
  PodGroupResourceClaim,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
  PodGroupTemplate
} from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isLabelKey, isLongName, isShortName } from '../../apimachinery/validation/names.js'
import type { GatedFields } from '../../registry/gated-fields.js'
import { isFieldChanged, validateUnchanged } from '../immutable.js'

const maxResourceClaims = 4
const maxTopologyConstraints = 1
const maxPriority = 1_000_000_000

type GroupFields = Omit<PodGroupTemplate, 'name'>

const gates = {
  schedulingConstraints: 'TopologyAwareWorkloadScheduling',
  resourceClaims: 'DRAWorkloadResourceClaims'
} as const

/** Returns the gates of the fields, whose paths begin with `at`. */
export const groupGatedFields = (at: string): readonly GatedFields[] =>
  Object.entries(gates).map(([field, gate]) => ({ gates: gate, fields: [`${at}.${field}`] }))

/** Requires that a PodGroup's fields stay as they are. A field whose gate is off may only be removed. */
export function validateGroupUnchanged(fields: GroupFields, old: GroupFields, at: Path, errors: FieldErrors): void {
  validateUnchanged(fields, old, 'schedulingPolicy', at, errors)
  for (const field of ['schedulingConstraints', 'resourceClaims', 'disruptionMode', 'priorityClassName', 'priority'] as const) {
    // the claims are immutable whatever their gate
    if (field !== 'schedulingConstraints' || errors.enabled(gates[field])) {
      if (validateUnchanged(fields, old, field, at, errors) && field === 'resourceClaims')
        validateClaimCount(fields.resourceClaims ?? [], at.child(field), errors)
    } else if (fields[field] && isFieldChanged(fields, old, field)) errors.forbidden(at.child(field))
  }
}

/** Validates the fields of a new object: none of them can change. */
export function validateGroupFields(fields: GroupFields, at: Path, errors: FieldErrors): void {
  validatePolicy(fields.schedulingPolicy, at.child('schedulingPolicy'), errors)
  if (fields.schedulingConstraints) validateConstraints(fields.schedulingConstraints, at.child('schedulingConstraints'), errors)
  validateClaims(fields.resourceClaims ?? [], at.child('resourceClaims'), errors)
  const { disruptionMode, priorityClassName = '', priority } = fields
  if (disruptionMode) validateUnion(disruptionMode, ['single', 'all'], at.child('disruptionMode'), errors)
  if (priorityClassName !== '')
    for (const e of isLongName(priorityClassName)) errors.invalid(at.child('priorityClassName'), priorityClassName, e)
  if (priority !== undefined && priority > maxPriority)
    errors.invalid(at.child('priority'), priority, `must be less than or equal to ${maxPriority}`)
}

/** Requires that exactly one member of a union is set. Errors show the names of those that are. */
export function validateUnion<T extends object>(
  union: T,
  members: readonly (keyof T & string)[],
  at: Path,
  errors: FieldErrors
): void {
  const set = members.filter(name => union[name] !== undefined && union[name] !== null)
  const all = members.map(name => `\`${name}\``).join(', ')
  if (set.length === 0) errors.invalid(at, '', `must specify one of: ${all}`)
  if (set.length > 1) errors.invalid(at, `{${set.join(', ')}}`, `must specify exactly one of: ${all}`)
}

function validatePolicy(policy: PodGroupSchedulingPolicy, at: Path, errors: FieldErrors): void {
  validateUnion(policy, ['basic', 'gang'], at, errors)
  if (!policy.gang) return
  const path = at.child('gang', 'minCount')
  const { minCount } = policy.gang
  if (minCount === 0) errors.required(path)
  else if (minCount < 1) errors.invalid(path, minCount, 'must be greater than or equal to 1')
}

function validateConstraints({ topology = [] }: PodGroupSchedulingConstraints, at: Path, errors: FieldErrors): void {
  const path = at.child('topology')
  if (topology.length > maxTopologyConstraints) {
    errors.tooMany(path, topology.length, maxTopologyConstraints)
    return
  }
  topology.forEach(({ key }, i) => {
    if (key === '') errors.required(path.index(i).child('key'))
    else for (const e of isLabelKey(key)) errors.invalid(path.index(i).child('key'), key, e)
  })
}

function validateClaims(claims: readonly PodGroupResourceClaim[], at: Path, errors: FieldErrors): void {
  if (!validateClaimCount(claims, at, errors)) return
  validateUniqueNames(claims, at, errors)
  claims.forEach((claim, i) => {
    const path = at.index(i)
    validateUnion(claim, ['resourceClaimName', 'resourceClaimTemplateName'], path, errors)
    validateShortName(claim.name, path.child('name'), errors)
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const name = claim[field]
      if (name !== undefined) for (const e of isLongName(name)) errors.invalid(path.child(field), name, e)
    }
  })
}

/** Refuses items with the same name. Errors show the whole item. */
export function validateUniqueNames(items: readonly { readonly name: string }[], at: Path, errors: FieldErrors): void {
  const names = new Set<string>()
  items.forEach((item, i) => {
    if (names.has(item.name)) errors.duplicate(at.index(i), item)
    names.add(item.name)
  })
}

/** Requires a DNS label. */
export function validateShortName(name: string, at: Path, errors: FieldErrors): void {
  if (name === '') errors.required(at)
  else for (const e of isShortName(name)) errors.invalid(at, name, e)
}

/** Validates the number of claims. Returns whether the claims are worth validating. */
export function validateClaimCount(claims: readonly unknown[], at: Path, errors: FieldErrors): boolean {
  const fits = claims.length <= maxResourceClaims
  if (!fits) errors.tooMany(at, claims.length, maxResourceClaims)
  return fits
}
