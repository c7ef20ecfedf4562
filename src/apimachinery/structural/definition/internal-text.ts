/** Formats schemas as kube-apiserver's errors print them: JSON of its internal type, with Go's field names and no omissions. */

import { isObject } from '../../../util/json.js'
import type { JSONSchemaProps, ValidationRule } from '../../api/generated/apiextensions-v1.js'
import { given } from '../../schema/given.js'
import { loadSchema } from '../../schema/load.js'
import { GoText, goJson } from '../../validation/go-value.js'
import { sorted } from '../go-map.js'
import { isSchema } from '../structural.js'

/** The internal type's fields in their order. */
export const internalFields: readonly string[] =
  'ID Schema Ref Description Type Nullable Format Title Default Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Enum MaxProperties MinProperties Required Items AllOf OneOf AnyOf Not Properties AdditionalProperties PatternProperties Dependencies AdditionalItems Definitions ExternalDocs Example XPreserveUnknownFields XEmbeddedResource XIntOrString XListMapKeys XListType XMapType XValidations'.split(
    ' '
  )

/** Maps Go names to the fields of a schema. */
export function goFields(): ReadonlyMap<string, { readonly name: string; readonly empty: unknown }> {
  const { fields } = loadSchema().type('apiextensions.v1.JSONSchemaProps')
  return new Map(
    fields.map(({ goName, name, type, pointer }) => {
      const scalar = pointer || type.kind !== 'scalar' ? undefined : type.scalar
      return [goName, { name, empty: scalar === 'string' ? '' : scalar === 'bool' ? false : null }]
    })
  )
}

export const schemaText = (schema: JSONSchemaProps): GoText => new GoText(goJson(internalSchema(schema)))

/** Formats the value of "items". */
export const itemsText = (items: unknown): GoText => new GoText(goJson(converters.Items!(items)))

export function internalSchema(schema: JSONSchemaProps): object {
  const fields = goFields()
  return Object.fromEntries(
    internalFields.map(goName => {
      const { name, empty } = fields.get(goName)!
      const value = given(schema, name as keyof JSONSchemaProps)
      return [goName, value === undefined || value === null ? empty : (converters[goName] ?? sorted)(value)]
    })
  )
}

const one = (value: unknown) => (isSchema(value) ? internalSchema(value) : null)
const list = (value: unknown) => (Array.isArray(value) ? value.map(one) : null)
const map = (convert: (value: unknown) => unknown) => (value: unknown) =>
  Object.fromEntries(Object.entries(sorted(value) as object).map(([name, schema]) => [name, convert(schema)]))
const schemaOrBool = (value: unknown) => ({ Allows: value !== false, Schema: one(value) })

const converters: Record<string, (value: unknown) => unknown> = {
  Items: value => ({ Schema: one(value), JSONSchemas: list(value) }),
  AllOf: list,
  OneOf: list,
  AnyOf: list,
  Not: one,
  Properties: map(one),
  AdditionalProperties: schemaOrBool,
  PatternProperties: map(one),
  Dependencies: map(value => ({ Schema: one(value), Property: Array.isArray(value) ? value : null })),
  AdditionalItems: schemaOrBool,
  Definitions: map(one),
  ExternalDocs: value => (isObject(value) ? { Description: value.description ?? '', URL: value.url ?? '' } : null),
  XValidations: value => (value as ValidationRule[]).map(internalRule)
}

/** A rule with Go's field names. */
export const internalRule = (rule: ValidationRule) => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null
})
