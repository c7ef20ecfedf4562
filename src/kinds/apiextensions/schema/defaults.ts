/** Defaults must be what a client could have written: valid by their schema, and without fields that would be pruned. */
import { embeddedCheck, embeddedCoercer } from '../../../apiextensions/schema/embedded.js'
import { sorted } from '../../../apiextensions/schema/go-map.js'
import { metaFields, valuePruner } from '../../../apiextensions/schema/prune.js'
import type { StructuralSchema } from '../../../apiextensions/schema/structural.js'
import { valueCheck } from '../../../apiextensions/schema/validate.js'
import { cloneJson, equalJson, type JsonObject } from '../../../util/json.js'
import { FieldErrors, type Path } from '../../../validation/field.js'

/** Judges a default by the rules of its schema, which says what it asks for beside its type. */
export type DefaultRules = (schema: StructuralSchema, value: unknown, path: Path, errors: FieldErrors) => void

/** The resource in which a default would come to stand; it matters for those of metadata. */
interface Resource {
  readonly schema: StructuralSchema
  /** The smallest resource with a value at this place. */
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
    const found = new FieldErrors()
    if (insideMeta) validateInMetadata(schema.default, resource, place, found)
    else validateAlone(schema, place, found)
    if (!found.any || onlyUnpruned(found)) {
      const before = found.list.length
      valueCheck(schema, { literal: true })(schema.default, undefined, place, found)
      if (found.list.length === before) rules?.(schema, schema.default, place, found)
    }
    errors.list.push(...found.list)
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

const unpruned = 'must not have unknown fields'

/** Unknown fields do not keep a default from being judged by its schema. */
function onlyUnpruned(errors: FieldErrors): boolean {
  return errors.list.every(e => e.message.endsWith(unpruned))
}

function validateAlone(schema: StructuralSchema, place: Path, errors: FieldErrors): void {
  const value = cloneJson(schema.default)
  valuePruner(schema)(value)
  if (!equalJson(value, schema.default)) errors.invalid(place, sorted(schema.default), unpruned)
  const coerced = cloneJson(schema.default)
  const problem = embeddedCoercer(schema)(coerced, undefined, place)
  if (problem) errors.list.push(problem)
  else embeddedCheck(schema)?.(coerced, place, errors)
}

function validateInMetadata(value: unknown, resource: Resource, place: Path, errors: FieldErrors): void {
  const object = resource.around(cloneJson(value)) as JsonObject
  const found = new FieldErrors()
  const problem = embeddedCoercer(resource.schema)(object)
  if (problem) found.list.push(problem)
  else embeddedCheck(resource.schema)?.(object, undefined, found)
  const texts = [...new Set(found.list.map(e => `${e.field}: ${e.message}`))]
  const text = texts.length > 1 ? `[${texts.join(', ')}]` : texts[0]
  if (text) errors.invalid(place, sorted(value), `must result in valid metadata: ${text}`)
}

function asResource(value: unknown): unknown {
  return { kind: 'Validation', apiVersion: 'validation/v1', ...(value as JsonObject) }
}
