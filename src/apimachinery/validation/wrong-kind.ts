/** The errors for documents whose kind is not the custom resource of the request. */
import { FieldErrors } from './field.js'
import { invalidObject } from './invalid.js'

/** kube-apiserver answers 422 for a custom resource of the wrong kind, but 400 for other kinds. */
export function wrongKind(own: { group: string; version: string; kind: string }, kind: string, apiVersion: string, name: string) {
  const errors = new FieldErrors()
  if (kind !== own.kind) errors.invalid('kind', kind, `must be ${own.kind}`)
  const wanted = `${own.group}/${own.version}`
  if (apiVersion !== wanted) errors.invalid('apiVersion', apiVersion, `must be ${wanted}`)
  return invalidObject({ group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '', kind }, name, errors)
}

/** Adds the error for a custom resource of another kind. Returns the kind that further errors name, or undefined for the right one. */
export function checkKind(
  { group, kind: wanted, custom }: { group: string; kind: string; custom?: unknown },
  { kind }: { kind?: string | undefined },
  errors: FieldErrors
): { group: string; kind: string } | undefined {
  if (!custom || kind === undefined || kind === wanted) return undefined
  errors.invalid('kind', kind, `must be ${wanted}`)
  return { group, kind }
}
