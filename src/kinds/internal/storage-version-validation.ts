/** Validates StorageVersions (KEP-2339): their names, and what servers report about themselves. */
import type {
  ServerStorageVersion,
  StorageVersionCondition,
  StorageVersionStatus
} from '../../apimachinery/api/generated/apiserverinternal-v1alpha1.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1035Label, isDns1123Subdomain, isQualifiedName, regexError } from '../../apimachinery/validation/names.js'

/** The name has the group and the resource: "apps.deployments". */
export function storageVersionNameErrors(name: string): string[] {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return ['name must be in the form of <group>.<resource>']
  return [
    ...isDns1123Subdomain(name.slice(0, dot)).map(e => `the group segment ${e}`),
    ...isDns1035Label(name.slice(dot + 1)).map(e => `the resource segment ${e}`)
  ]
}

export function validateStorageVersionStatus(status: StorageVersionStatus, errors: FieldErrors): void {
  const path = Path.of('status')
  const servers = status.storageVersions ?? []
  const seen = new Set<string>()
  servers.forEach((server, i) => {
    const at = path.child('storageVersions').index(i)
    const id = server.apiServerID ?? ''
    if (seen.has(id)) errors.duplicate(at.child('apiServerID'), id)
    seen.add(id)
    validateServer(server, at, errors)
  })
  validateCommonVersion(status, path.child('commonEncodingVersion'), errors)
  validateConditions(status.conditions ?? [], path, errors)
}

function validateServer(server: ServerStorageVersion, path: Path, errors: FieldErrors): void {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = server
  for (const e of isDns1123Subdomain(apiServerID)) errors.invalid(path.child('apiServerID'), apiServerID, e)
  validateVersion(encodingVersion, path.child('encodingVersion'), errors)
  const decodable = path.child('decodableVersions')
  decodableVersions.forEach((version, i) => void validateVersion(version, decodable.index(i), errors))
  const known = new Set(decodableVersions)
  if (!known.has(encodingVersion))
    errors.invalid(
      decodable,
      given(server, 'decodableVersions'),
      `decodableVersions must include encodingVersion ${encodingVersion}`
    )
  servedVersions.forEach((version, i) => {
    const at = path.child('servedVersions').index(i)
    validateVersion(version, at, errors)
    if (known.has(version)) return
    const listed = `[${decodableVersions.join(' ')}]`
    errors.invalid(at, version, `individual served version : ${version} must be included in decodableVersions : ${listed}`)
  })
}

function validateVersion(apiVersion: string, path: Path, errors: FieldErrors): void {
  const wrong = apiVersionErrors(apiVersion)
  if (wrong.length > 0) errors.invalid(path, apiVersion, wrong.join(','))
}

const empty = 'must be non-empty'
const label = regexError(
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123'
)

/** Returns the errors in an apiVersion: "v1" or "apps/v1". */
function apiVersionErrors(text: string): string[] {
  const parts = text.split('/')
  if (parts.length > 2)
    return [`an apiVersion is ${label} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`]
  const [group, version] = parts.length === 2 ? [parts[0]!, parts[1]!] : [undefined, parts[0]!]
  const ofGroup = group === undefined ? [] : group === '' ? [empty] : isDns1123Subdomain(group)
  const ofVersion = version === '' ? [empty] : isDns1035Label(version)
  return [...ofGroup.map(e => `group part: ${e}`), ...ofVersion.map(e => `version part: ${e}`)]
}

function validateCommonVersion(
  { storageVersions = [], commonEncodingVersion: said }: StorageVersionStatus,
  path: Path,
  errors: FieldErrors
) {
  const first = storageVersions[0]?.encodingVersion ?? ''
  const agree = storageVersions.length > 0 && storageVersions.every(({ encodingVersion = '' }) => encodingVersion === first)
  if (agree && said === undefined) errors.invalid(path, null, `the common encoding version is ${first}`)
  else if (agree && said !== first) errors.invalid(path, said, `the actual common encoding version is ${first}`)
  else if (!agree && said !== undefined)
    errors.invalid(
      path,
      said,
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
    )
}

/** Validates the conditions. kube-apiserver's paths lack the name of the list. */
function validateConditions(conditions: readonly StorageVersionCondition[], path: Path, errors: FieldErrors): void {
  const seen = new Map<string, number>()
  conditions.forEach(({ type, status, reason, message }, i) => {
    const at = path.index(i)
    const before = seen.get(type)
    if (before !== undefined)
      errors.invalid(at.child('type'), type, `the type of the condition is not unique, it also appears in conditions[${before}]`)
    seen.set(type, i)
    for (const e of isQualifiedName(type)) errors.invalid(at.child('type'), type, e)
    for (const e of isQualifiedName(status)) errors.invalid(at.child('status'), status, e)
    if (!reason) errors.required(at.child('reason'))
    if (!message) errors.required(at.child('message'))
  })
}
