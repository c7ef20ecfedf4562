/** What the rules of a definition cost, and which limits of sizes would make them cheap enough. */
import type { JSONSchemaProps } from '../../apimachinery/api/generated/apiextensions-v1.js'
import { inTurns } from '../../apimachinery/cel/compile-turns.js'
import { type ExplainedSchema, explainCosts } from '../../apimachinery/structural/rules/explain-costs.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { wrongField } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'

export const expressionFields: Readonly<Record<string, Schema>> = {
  definition: {
    type: 'object',
    description: 'A CustomResourceDefinition: its spec.versions with their schemas.',
    additionalProperties: true
  }
}

export interface ExpressionsExplanation {
  readonly versions: readonly (ExplainedSchema & { readonly version: string })[]
}

/** `checkWanted` throws when nobody waits for the explanation any more. Rejects with a StatusError. */
export async function explainExpressions({ definition }: JsonObject, checkWanted?: () => void): Promise<ExpressionsExplanation> {
  const versions: (ExplainedSchema & { readonly version: string })[] = []
  for (const [version, schema] of schemasOf(definition)) {
    let explained: ExplainedSchema | undefined
    await inTurns(() => {
      explained = explainCosts(schema)
    }, checkWanted)
    versions.push({ version, ...explained! })
  }
  return { versions }
}

function* schemasOf(definition: unknown): Generator<readonly [string, JSONSchemaProps]> {
  const spec = isObject(definition) && isObject(definition.spec) ? definition.spec : undefined
  if (!Array.isArray(spec?.versions)) throw wrongField('definition', 'must be a CustomResourceDefinition with spec.versions')
  for (const [i, version] of spec.versions.entries()) {
    const schema = isObject(version) && isObject(version.schema) ? version.schema.openAPIV3Schema : undefined
    if (!isObject(schema)) throw wrongField(`definition.spec.versions[${i}]`, 'has no schema.openAPIV3Schema')
    checkShape(schema, `definition.spec.versions[${i}].schema.openAPIV3Schema`)
    yield [isObject(version) && typeof version.name === 'string' ? version.name : '', schema as JSONSchemaProps]
  }
}

const maxDepth = 200

/** Only the shape on which the estimate relies: everything else is said when the definition is created. */
function checkShape(schema: JsonObject, at: string, depth = 0): void {
  if (depth > maxDepth) throw wrongField(at, `is deeper than ${maxDepth} schemas`)
  const wrong = (field: string, what: string) => wrongField(`${at}.${field}`, `must be ${what}`)
  for (const field of ['maxItems', 'maxLength', 'maxProperties'])
    if (schema[field] !== undefined && typeof schema[field] !== 'number') throw wrong(field, 'a number')
  if (schema.type !== undefined && typeof schema.type !== 'string') throw wrong('type', 'a string')
  for (const field of ['required', 'enum', 'x-kubernetes-list-map-keys'])
    if (schema[field] !== undefined && !Array.isArray(schema[field])) throw wrong(field, 'a list')
  const rules = schema['x-kubernetes-validations'] ?? []
  if (!Array.isArray(rules) || !rules.every(isRule)) throw wrong('x-kubernetes-validations', 'a list of rules')
  const { properties = {}, items, additionalProperties } = schema
  if (!isObject(properties)) throw wrong('properties', 'an object')
  for (const [name, below] of Object.entries(properties)) {
    if (!isObject(below)) throw wrong(`properties[${name}]`, 'a schema')
    checkShape(below, `${at}.properties[${name}]`, depth + 1)
  }
  if (isObject(items)) checkShape(items, `${at}.items`, depth + 1)
  if (isObject(additionalProperties)) checkShape(additionalProperties, `${at}.additionalProperties`, depth + 1)
}

const isRule = (rule: unknown): boolean =>
  isObject(rule) &&
  typeof rule.rule === 'string' &&
  (rule.messageExpression === undefined || typeof rule.messageExpression === 'string')
