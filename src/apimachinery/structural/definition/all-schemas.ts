/** Examines all schemas of a definition, at every depth. */

import { equalJson } from '../../../util/json.js'
import type { CustomResourceDefinitionSpec, JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { isKnownFormat } from '../formats.js'
import { itemsOf, valuesOf } from './parts.js'

/** Yields a schema and all schemas nested in it. */
function* allSchemas(schema: JSONSchemaProps): Generator<JSONSchemaProps> {
  yield schema
  const children = [
    itemsOf(schema),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    schema.not,
    ...Object.values(schema.properties ?? {}),
    valuesOf(schema)
  ]
  for (const child of children) if (child) yield* allSchemas(child)
}

export function hasDefaults(schema: JSONSchemaProps): boolean {
  for (const { default: value } of allSchemas(schema)) if (value !== undefined) return true
  return false
}

/** Returns the formats that have no meaning for the type beside them. A schema that several versions share is examined once. */
export function unrecognizedFormats({ versions }: CustomResourceDefinitionSpec): string[] {
  const schemas = (versions ?? []).map(v => v.schema?.openAPIV3Schema)
  const distinct = schemas.every(s => equalJson(s, schemas[0])) ? schemas.slice(0, 1) : schemas
  return distinct.flatMap(root =>
    [...(root ? allSchemas(root) : [])].flatMap(({ format = '', type = '' }) =>
      format === '' || isKnownFormat(format, [type]) ? [] : [format]
    )
  )
}

/** Yields the expressions of all rules: each rule, and the expression of its message. */
export function* ruleExpressions({ versions }: CustomResourceDefinitionSpec): Generator<string | undefined> {
  for (const { schema } of versions ?? [])
    for (const each of schema?.openAPIV3Schema ? allSchemas(schema.openAPIV3Schema) : [])
      for (const { rule, messageExpression } of each['x-kubernetes-validations'] ?? []) yield* [rule, messageExpression]
}

/** Returns the types of items, other than scalars, of lists that are declared to be sets: in alphabetical order, each once. */
export function typesOfSets({ versions }: CustomResourceDefinitionSpec): string[] {
  const types = new Set<string>()
  for (const { schema } of versions ?? [])
    for (const each of schema?.openAPIV3Schema ? allSchemas(schema.openAPIV3Schema) : []) {
      const type = each['x-kubernetes-list-type'] === 'set' ? itemsOf(each)?.type : undefined
      if (type === 'object' || type === 'array') types.add(type)
    }
  return [...types].sort()
}
