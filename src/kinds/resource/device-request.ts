/** Defaults and validation of a claim's device requests. */
import type {
  DeviceClaim,
  DeviceRequest,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest
} from '../../apimachinery/api/generated/resource-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Label, isDns1123Subdomain, isLabelValue, isQualifiedName } from '../../apimachinery/validation/names.js'
import { DerivedAttributes } from './derived-attributes.js'
import { validateSelectors } from './device-selector.js'
import { validateList, validateSet } from './lists.js'
import { validateOpaque } from './opaque-configuration.js'

/** The greatest number of requests, constraints and configurations of a claim. */
const maxItems = 32
const maxSubRequests = 8

/** The fields that a request shares with the alternatives within a request. */
type Wanted = ExactDeviceRequest | DeviceSubRequest

const wantedBy = (request: DeviceRequest): readonly Wanted[] => [
  ...(request.exactly ? [request.exactly] : []),
  ...(request.firstAvailable ?? [])
]

export function defaultTolerations(tolerations: readonly DeviceToleration[] = []): void {
  for (const toleration of tolerations) toleration.operator ||= 'Equal'
}

export function defaultDeviceClaim(claim: DeviceClaim): void {
  for (const request of claim.requests ?? []) {
    for (const wanted of wantedBy(request)) {
      wanted.allocationMode ??= 'ExactCount'
      if (wanted.allocationMode === 'ExactCount') wanted.count ??= 1
      defaultTolerations(wanted.tolerations)
    }
  }
}

/** Returns the names by which constraints and configurations refer to requests: "a", and "b/small" for an alternative. */
export function requestNames(claim: DeviceClaim): ReadonlySet<string> {
  const names = new Set<string>()
  for (const request of claim.requests ?? []) {
    names.add(request.name)
    for (const sub of request.firstAvailable ?? []) names.add(`${request.name}/${sub.name}`)
  }
  return names
}

export function validateDeviceClaim(claim: DeviceClaim, path: Path, errors: FieldErrors): void {
  const names = requestNames(claim)
  const derived = new DerivedAttributes(claim.constraints ?? [])
  validateSet(
    claim.requests,
    maxItems,
    r => r.name,
    path.child('requests'),
    errors,
    (request, at) => validateRequest(request, derived, at, errors)
  )
  validateList(
    claim.constraints,
    maxItems,
    path.child('constraints'),
    errors,
    ({ requests, matchAttribute, distinctAttribute }, at) => {
      validateReferences(requests, names, at.child('requests'), errors)
      // declared rules say what is wrong with their names
      if (matchAttribute === undefined && distinctAttribute === undefined)
        errors.required(at, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')
    }
  )
  validateList(claim.config, maxItems, path.child('config'), errors, ({ requests, opaque }, at) => {
    validateReferences(requests, names, at.child('requests'), errors)
    validateOpaque(opaque, at, errors)
  })
  derived.validateCost(path, errors)
}

export function validateReferences(
  references: readonly string[] | undefined,
  names: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors
): void {
  validateSet(
    references,
    maxItems,
    name => name,
    path,
    errors,
    (name, at) => validateReference(name, names, at, errors)
  )
}

export function validateReference(name: string, names: ReadonlySet<string>, at: Path, errors: FieldErrors): void {
  const parts = name.split('/')
  if (parts.length <= 2) for (const part of parts) for (const e of isDns1123Label(part)) errors.invalid(at, part, e)
  if (parts.length > 2 || !names.has(name))
    errors.invalid(
      at,
      name,
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
    )
}

function validateRequest(request: DeviceRequest, derived: DerivedAttributes, at: Path, errors: FieldErrors): void {
  const { name, exactly, firstAvailable } = request
  for (const e of isDns1123Label(name)) errors.invalid(at.child('name'), name, e)
  const why = 'exactly one of `exactly` or `firstAvailable` is required'
  if (exactly && firstAvailable?.length) errors.invalid(at, null, `${why}, but multiple fields are set`)
  else if (exactly) validateWanted(exactly, name, derived, at.child('exactly'), errors)
  else if (!firstAvailable?.length) errors.required(at, why)
  else {
    validateSet(
      firstAvailable,
      maxSubRequests,
      r => r.name,
      at.child('firstAvailable'),
      errors,
      (sub, path) => {
        for (const e of isDns1123Label(sub.name)) errors.invalid(path.child('name'), sub.name, e)
        validateWanted(sub, `${name}/${sub.name}`, derived, path, errors)
      }
    )
  }
}

/** `reference` is the name by which constraints refer to it. */
function validateWanted(wanted: Wanted, reference: string, derived: DerivedAttributes, at: Path, errors: FieldErrors): void {
  const { deviceClassName, allocationMode, count = 0 } = wanted
  if (deviceClassName === '') errors.required(at.child('deviceClassName'))
  else for (const e of isDns1123Subdomain(deviceClassName)) errors.invalid(at.child('deviceClassName'), deviceClassName, e)
  validateSelectors(wanted.selectors, at.child('selectors'), errors)
  derived.validate(wanted.derivedAttributes ?? [], reference, at.child('derivedAttributes'), errors)
  if (allocationMode === 'All') {
    if (count !== 0) errors.invalid(at.child('count'), count, "must not be specified when allocationMode is 'All'")
  } else if (allocationMode === 'ExactCount') {
    if (count <= 0) errors.invalid(at.child('count'), count, 'must be greater than zero')
  } else errors.notSupported(at.child('allocationMode'), allocationMode, ['All', 'ExactCount'])
  wanted.tolerations?.forEach((toleration, i) => void validateToleration(toleration, at.child('tolerations').index(i), errors))
}

export function validateToleration(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  at: Path,
  errors: FieldErrors
): void {
  if (key !== '') for (const e of isQualifiedName(key)) errors.invalid(at.child('key'), key, e)
  if (operator === 'Exists') {
    if (value !== '') errors.invalid(at.child('value'), value, 'must be empty for operator `Exists`')
  } else if (operator === 'Equal') for (const e of isLabelValue(value)) errors.invalid(at.child('value'), value, e)
  else if (operator === '') errors.required(at.child('operator'))
  else errors.notSupported(at.child('operator'), operator, ['Equal', 'Exists'])
  if (effect !== '' && !deviceTaintEffects.includes(effect)) errors.notSupported(at.child('effect'), effect, deviceTaintEffects)
}

/** The effects of a taint. */
export const deviceTaintEffects = ['NoExecute', 'NoSchedule', 'None']
