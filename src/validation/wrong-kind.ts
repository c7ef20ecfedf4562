/** The errors for documents that are not of the custom resource that the request is about. */
import { FieldErrors } from './field.js'
import { invalidObject } from './invalid.js'

/** kube-apiserver calls a custom resource of another kind invalid, where other kinds would be a bad request. */
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
