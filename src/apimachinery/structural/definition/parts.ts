/**
 * Returns the parts of a declared schema whose fields have several forms. Definitions are walked before they have been validated.
 */
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import type { Path } from '../../validation/field.js'
import { isSchema } from '../structural.js'

export interface Part {
  readonly schema: JSONSchemaProps
  readonly path: Path
}

/** Returns the schema of items; undefined if there is none, or if it is a list of schemas. */
export const itemsOf = ({ items }: JSONSchemaProps): JSONSchemaProps | undefined => (isSchema(items) ? items : undefined)

/** Returns the schema of additional values; undefined also if additionalProperties is a boolean. */
export const valuesOf = ({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined =>
  isSchema(additionalProperties) ? additionalProperties : undefined

export const hasProperties = ({ properties = {} }: JSONSchemaProps): boolean => Object.keys(properties).length > 0

export function propertiesOf({ properties = {} }: JSONSchemaProps, path: Path): (Part & { readonly name: string })[] {
  const at = path.child('properties')
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, path: at.key(name) }))
}

/** Returns the branches of one kind of junctor. */
export function branchesOf(schema: JSONSchemaProps, junctor: 'anyOf' | 'allOf' | 'oneOf' | 'not', path: Path): Part[] {
  const at = path.child(junctor)
  if (junctor === 'not') return schema.not ? [{ schema: schema.not, path: at }] : []
  return (schema[junctor] ?? []).map((branch, i) => ({ schema: branch, path: at.index(i) }))
}
