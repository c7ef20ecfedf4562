/**
 * Validates defaults. A default must be a value that a client could send: valid by its schema, and without fields that would be
 * pruned.
 */

import { cloneJson, equalJson, type JsonObject } from '../../../util/json.js'
import { FieldErrors, type Path } from '../../validation/field.js'
import { embeddedCheck, embeddedCoercer } from '../embedded.js'
import { sorted } from '../go-map.js'
import { metaFields, valuePruner } from '../prune.js'
import type { StructuralSchema } from '../structural.js'
import { valueCheck } from '../validate.js'

/** Validates a default against the rules of its schema (x-kubernetes-validations). */
export type DefaultRules = (schema: StructuralSchema, value: unknown, path: Path, errors: FieldErrors) => void

/** The resource that would contain a default; it matters for defaults inside metadata. */
interface Resource {
  readonly schema: StructuralSchema
  /** Wraps a value at this place in the smallest resource. */
  readonly around: (value: unknown) => unknown
  readonly insideMeta: boolean
}

export function validateDefaults(root: StructuralSchema, path: Path, errors: FieldErrors, rules?: DefaultRules): void {
  const schema = { ...root, embeddedResource: true }
  validateNode(schema, { schema, around: asResource, insideMeta: false }, path, errors, rules)
}

function validateNode(
  schema: StructuralSchema,
  within: Resource,
  path: Path,
  errors: FieldErrors,
  rules: DefaultRules | undefined
): void {
  const resource = schema.embeddedResource ? { schema, around: asResource, insideMeta: false } : within
  const { insideMeta, around } = resource
  if (schema.default !== undefined) {
    const place = path.child('default')
    const value = cloneJson(schema.default)
    const found = new FieldErrors()
    if (insideMeta) validateInMetadata(value, resource, place, found)
    else validateEmbedded(value, schema, place, found)
    if (!found.any) valueCheck(schema, { literal: true })(value, undefined, place, found)
    if (!found.any) rules?.(schema, value, place, found)
    if (!insideMeta && !isPruned(schema)) errors.invalid(place, sorted(value), 'must not have unknown fields')
    errors.addAll(found.list)
  }
  if (schema.items) {
    const step = { ...resource, around: (value: unknown) => around([value]) }
    validateNode(schema.items, step, path.child('items'), errors, rules)
  }
  for (const [name, field] of schema.properties ?? []) {
    const step = {
      schema: resource.schema,
      around: (value: unknown) => around({ [name]: value }),
      insideMeta: insideMeta || (schema.embeddedResource && metaFields.has(name))
    }
    validateNode(field, step, path.child('properties').key(name), errors, rules)
  }
}

function isPruned(schema: StructuralSchema): boolean {
  const value = cloneJson(schema.default)
  valuePruner(schema)(value)
  return equalJson(value, schema.default)
}

/** Coerces embedded metadata in `value`, and validates the result. */
function validateEmbedded(value: unknown, schema: StructuralSchema, place: Path, errors: FieldErrors): void {
  const problem = embeddedCoercer(schema)(value, undefined, place)
  if (problem) errors.add(problem)
  else embeddedCheck(schema)?.(value, place, errors)
}

function validateInMetadata(value: unknown, resource: Resource, place: Path, errors: FieldErrors): void {
  const object = resource.around(cloneJson(value)) as JsonObject
  const found = new FieldErrors()
  const problem = embeddedCoercer(resource.schema)(object)
  if (problem) found.add(problem)
  else embeddedCheck(resource.schema)?.(object, undefined, found)
  const texts = [...new Set(found.list.map(e => `${e.field}: ${e.message}`))]
  const text = texts.length > 1 ? `[${texts.join(', ')}]` : texts[0]
  if (text) errors.invalid(place, sorted(value), `must result in valid metadata: ${text}`)
}

function asResource(value: unknown): unknown {
  return { kind: 'Validation', apiVersion: 'validation/v1', ...(value as JsonObject) }
}
