/** Documents that were taken for a custom resource and are something else. */
import { FieldErrors } from '../validation/field.js'
import { invalidObject } from '../validation/invalid.js'

/** A custom resource of another kind is no other document but an invalid one. */
export function wrongKind({ group, kind: wanted }: { group: string; kind: string }, kind: string, name: string) {
  const errors = new FieldErrors()
  errors.invalid('kind', kind, `must be ${wanted}`)
  return invalidObject({ group, kind }, name, errors)
}

export function wrongVersion(
  { group, version, kind }: Record<'group' | 'version' | 'kind', string>,
  apiVersion: string,
  name: string
) {
  const errors = new FieldErrors()
  errors.invalid('apiVersion', apiVersion, `must be ${group}/${version}`)
  return invalidObject({ group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '', kind }, name, errors)
}
