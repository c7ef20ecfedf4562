/**
 * Validates that a schema is structural
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema).
 */
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { FieldErrors, type Path } from '../../validation/field.js'
import { compilePattern, PatternError } from '../regexp.js'
import { validateCompleteness } from './completeness.js'
import { branchesOf, hasProperties, itemsOf, propertiesOf, valuesOf } from './parts.js'

type Level = 'root' | 'item' | 'field'

/** Adds the errors in the order of their text. */
export function validateStructural(schema: JSONSchemaProps, path: Path, errors: FieldErrors): void {
  const found = new FieldErrors()
  validateNode(schema, 'root', path, found)
  validateCompleteness(schema, path, found)
  const text = new Map(found.list.map(e => [e, Buffer.from(`${e.field}: ${e.message}`)]))
  errors.addAll(found.list.sort((a, b) => text.get(a)!.compare(text.get(b)!)))
}

const withoutType: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields'
}

function validateNode(schema: JSONSchemaProps, level: Level, path: Path, errors: FieldErrors): void {
  const { type = '', additionalProperties } = schema
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const intOrString = schema['x-kubernetes-int-or-string'] === true
  const preserve = schema['x-kubernetes-preserve-unknown-fields'] === true
  const items = itemsOf(schema)
  const values = valuesOf(schema)

  if (type === 'array' && !items) errors.required(path.child('items'), 'must be specified')
  if (items) validateNode(items, 'item', path.child('items'), errors)
  for (const property of propertiesOf(schema, path)) validateNode(property.schema, 'field', property.path, errors)
  if (additionalProperties !== undefined) {
    const place = path.child('additionalProperties')
    if (level === 'root') errors.forbidden(place, 'must not be used at the root')
    if (embedded) errors.forbidden(place, 'must not be used if x-kubernetes-embedded-resource is set')
    if (values) validateNode(values, 'field', place, errors)
  }
  if (intOrString) {
    for (const field of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
      if (schema[field]) errors.invalid(path.child(field), true, 'must be false if x-kubernetes-int-or-string is true')
  }
  validateValidations(schema, path, errors, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf))

  const place = path.child('type')
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    if (type === '') errors.required(place, detail)
    else errors.invalid(place, type, detail)
  } else if (type === '' && !intOrString && !preserve) errors.required(place, withoutType[level])
  if (level === 'root' && type !== '' && type !== 'object') errors.invalid(place, type, 'must be object at the root')
  validateResourceFields(schema, level, embedded, path, errors)
  if (embedded && !preserve && !hasProperties(schema)) {
    errors.required(
      path.child('properties'),
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    )
  }
}

/** apiVersion, kind and metadata, which every resource has without declaring them. */
function validateResourceFields(schema: JSONSchemaProps, level: Level, embedded: boolean, path: Path, errors: FieldErrors): void {
  const isResource = level === 'root' || embedded
  for (const { name, schema: field, path: place } of propertiesOf(schema, path)) {
    const { type = '' } = field
    if (isResource && (name === 'kind' || name === 'apiVersion') && type !== 'string')
      errors.invalid(place.child('type'), type, 'must be string')
    if (name !== 'metadata') continue
    if (isResource && type !== 'object') errors.invalid(place.child('type'), type, 'must be object')
    if (level === 'root' && !restrictsOnlyNames(field)) {
      errors.forbidden(place, 'must not specify anything other than name and generateName, but metadata is implicitly specified')
    }
  }
}

function restrictsOnlyNames(metadata: JSONSchemaProps): boolean {
  const { type: _, default: __, properties = {}, ...others } = metadata
  const names = Object.keys(properties)
  return names.every(name => name === 'name' || name === 'generateName') && Object.values(others).every(v => v === undefined)
}

/** `anyOf: [{type: integer}, {type: string}]`, the only form in which a junctor may contain a type. */
function isIntOrString(branches: readonly JSONSchemaProps[] | undefined): boolean {
  const types = branches?.map(branch => (Object.keys(branch).join() === 'type' ? branch.type : undefined)).join()
  return types === 'integer,string'
}

/** Validates the junctors and the pattern of a schema or of a branch. */
function validateValidations(
  schema: JSONSchemaProps,
  path: Path,
  errors: FieldErrors,
  skipAnyOf = false,
  skipFirstAllOf = false
): void {
  if (!skipAnyOf) for (const branch of branchesOf(schema, 'anyOf', path)) validateBranch(branch.schema, branch.path, errors)
  for (const [i, branch] of branchesOf(schema, 'allOf', path).entries())
    validateBranch(branch.schema, branch.path, errors, skipFirstAllOf && i === 0)
  for (const junctor of ['oneOf', 'not'] as const)
    for (const branch of branchesOf(schema, junctor, path)) validateBranch(branch.schema, branch.path, errors)
  if (!schema.pattern) return
  try {
    compilePattern(schema.pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    errors.invalid(path.child('pattern'), schema.pattern, `must be a valid regular expression, but isn't: ${error.message}`)
  }
}

/** The fields that only the schema outside of junctors may have, each with the value that a branch must have. */
const onlyOutside = [
  ['type', 'empty'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty']
] as const

/** Validates a schema inside a junctor: it may restrict values further, but must not define their shape. */
function validateBranch(schema: JSONSchemaProps, path: Path, errors: FieldErrors, skipAnyOf = false): void {
  validateValidations(schema, path, errors, skipAnyOf)
  const items = itemsOf(schema)
  if (items) validateBranch(items, path.child('items'), errors)
  for (const property of propertiesOf(schema, path)) validateBranch(property.schema, property.path, errors)
  for (const [field, wanted] of onlyOutside) {
    const value = schema[field]
    const isUndefined = value === undefined || value === null
    const isSet = wanted === 'undefined' ? !isUndefined : !!value && (value as unknown[]).length !== 0
    if (isSet) errors.forbidden(path.child(field), `must be ${wanted} to be structural`)
  }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
    errors.forbidden(path.child('additionalProperties'), 'must be undefined to be structural')
  if (schema.properties && Object.hasOwn(schema.properties, 'metadata'))
    errors.forbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context')
}
