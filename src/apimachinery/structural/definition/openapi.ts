/** The rules for every schema of a definition, at every depth. */

import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { given } from '../../schema/given.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { plainText } from '../../validation/go-value.js'
import { metaFields } from '../prune.js'
import { validateListAndMapTypes } from './list-types.js'
import { branchesOf, hasProperties, itemsOf, propertiesOf, valuesOf } from './parts.js'

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

interface Place {
  readonly isRoot?: boolean
  /** True inside apiVersion, kind or metadata of a resource, either the definition's own or an embedded one. */
  readonly insideMeta?: boolean
  /** The reason why defaults are forbidden. */
  readonly noDefaults?: string
}

export type NodeValidator = (schema: JSONSchemaProps, path: Path, errors: FieldErrors) => void

/** `rules` validates x-kubernetes-validations. */
export function validateOpenApi(
  schema: JSONSchemaProps,
  path: Path,
  errors: FieldErrors,
  rules?: NodeValidator,
  place: Place = { isRoot: true }
): void {
  const inner: Place = { ...place, isRoot: false }
  const visit = (child: JSONSchemaProps, at: Path, where: Place = inner) => validateOpenApi(child, at, errors, rules, where)

  validateFields(schema, path, place, errors)
  if (schema.additionalProperties !== undefined) {
    const at = path.child('additionalProperties')
    const values = valuesOf(schema)
    if (hasProperties(schema) && schema.additionalProperties !== true)
      errors.forbidden(at, 'additionalProperties and properties are mutual exclusive')
    const noDefaults = 'inside additionalProperties applying to object metadata'
    if (values) visit(values, at, place.insideMeta ? { ...inner, noDefaults } : inner)
  }
  for (const property of propertiesOf(schema, path))
    visit(property.schema, property.path, placeOfProperty(schema, property.name, place))
  for (const junctor of ['not', 'allOf', 'oneOf', 'anyOf'] as const)
    for (const branch of branchesOf(schema, junctor, path)) visit(branch.schema, branch.path)
  for (const [name, definition] of Object.entries(schema.definitions ?? {}))
    visit(definition, path.child('definitions').key(name))
  const items = itemsOf(schema)
  if (items) visit(items, path.child('items'))
  if (Array.isArray(schema.items)) for (const [i, item] of schema.items.entries()) visit(item, path.child('items').index(i))
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined')
  validateListAndMapTypes(schema, path, errors)
  rules?.(schema, path, errors)
}

function placeOfProperty(schema: JSONSchemaProps, name: string, { isRoot, ...place }: Place): Place {
  if (!metaFields.has(name) || !(isRoot || schema['x-kubernetes-embedded-resource'])) return place
  return { ...place, insideMeta: true, ...(isRoot && { noDefaults: `in top-level ${name}` }) }
}

function validateFields(schema: JSONSchemaProps, path: Path, place: Place, errors: FieldErrors): void {
  const { type = '' } = schema
  const unsupported = (field: string, isSet: boolean) => {
    if (isSet) errors.forbidden(path.child(field), `${field} is not supported`)
  }
  if (type !== '' && !types.includes(type)) errors.notSupported(path.child('type'), plainText(type), types)
  if (schema.default !== undefined && place.noDefaults)
    errors.forbidden(path.child('default'), `must not be set ${place.noDefaults}`)
  unsupported('id', (schema.id ?? '') !== '')
  unsupported('additionalItems', schema.additionalItems !== undefined)
  unsupported('patternProperties', Object.keys(schema.patternProperties ?? {}).length > 0)
  unsupported('definitions', Object.keys(schema.definitions ?? {}).length > 0)
  unsupported('dependencies', given(schema, 'dependencies') !== undefined)
  unsupported('$ref', schema.$ref !== undefined)
  if (type === 'null') errors.forbidden(path.child('type'), 'type cannot be set to null, use nullable as an alternative')
  if (Array.isArray(schema.items) && schema.items.length > 0)
    errors.forbidden(path.child('items'), 'items must be a schema object and not an array')
  if (place.insideMeta && schema['x-kubernetes-embedded-resource'])
    errors.forbidden(path.child('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta')
  if (schema.uniqueItems) {
    errors.forbidden(
      path.child('uniqueItems'),
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    )
  }
}
