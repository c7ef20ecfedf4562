import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { itemsOf, valuesOf } from './parts.js'

const forbidden = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions']
] as const

/** Returns why a declared schema has no structural form: the first part of it that structural schemas do not support. */
export function unsupported(schema: JSONSchemaProps): string | undefined {
  for (const [field, name] of forbidden) if (isSet(schema[field], field)) return `OpenAPIV3Schema '${name}' is not supported`
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  if (Array.isArray(schema.items) && schema.items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  const children = [
    schema.not,
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    itemsOf(schema),
    ...Object.values(schema.properties ?? {}),
    valuesOf(schema)
  ]
  for (const child of children) {
    const problem = child && unsupported(child)
    if (problem) return problem
  }
  return undefined
}

function isSet(value: unknown, field: string): boolean {
  if (value === undefined || value === null || value === '') return false
  // an empty schema counts, an empty map does not
  return typeof value !== 'object' || field === 'additionalItems' || Object.keys(value).length > 0
}
