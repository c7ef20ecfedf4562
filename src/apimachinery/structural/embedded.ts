/** Handles whole objects inside custom resources (x-kubernetes-embedded-resource): their apiVersion, kind and metadata. */

import { exactJson } from '../../util/exact-json.js'
import { compareText } from '../../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../../util/json.js'
import type { ObjectMeta } from '../api/generated/meta-v1.js'
import { strictFindings } from '../formats/strict-fields.js'
import { DecodeError, decode } from '../schema/decode.js'
import { loadSchema } from '../schema/load.js'
import { UnknownFields } from '../schema/unknown-fields.js'
import { type FieldError, FieldErrors, Path } from '../validation/field.js'
import { isDns1035Label } from '../validation/names.js'
import { validateEmbeddedMeta } from '../validation/object-meta.js'
import { sorted } from './go-map.js'
import type { StructuralSchema } from './structural.js'

/** Called for each embedded resource; returning false ends the walk. The path is undefined for a resource that is the root. */
type Visit = (resource: JsonObject, path: Path | undefined) => boolean

type Walk = (value: unknown, path: Path | undefined, visit: Visit) => boolean

const objectMeta = () => loadSchema().type('meta.v1.ObjectMeta')
const below = (path: Path | undefined, name: string) => (path ? path.child(name) : Path.of(name))

/**
 * Returns a function that coerces embedded metadata to ObjectMeta, in place: unknown fields are dropped, and their paths added to
 * `unknown`. The function returns the first error in metadata that cannot be decoded.
 */
export function embeddedCoercer(
  schema: StructuralSchema
): (value: unknown, unknown?: UnknownFields, path?: Path) => FieldError | undefined {
  const walk = compile(schema)
  if (!walk) return () => undefined
  return (value, unknown, path) => {
    const errors = new FieldErrors()
    const found = new UnknownFields()
    walk(value, path, (resource, place) => {
      coerce(resource, place, errors, unknown && found)
      return !errors.any
    })
    unknown?.addAll(found.paths.sort(compareText))
    return errors.list[0]
  }
}

/**
 * As embeddedCoercer, for stored objects, which an earlier, looser schema may have accepted: metadata that cannot be decoded is
 * dropped, so that one object does not make all others unreadable.
 */
export function embeddedDropper(schema: StructuralSchema): (value: unknown) => undefined {
  const walk = compile(schema)
  return value => {
    walk?.(value, undefined, resource => {
      dropUnreadable(resource)
      coerce(resource, undefined, new FieldErrors(), undefined)
      return true
    })
  }
}

/** Returns undefined if the schema has no embedded resources. */
export function embeddedCheck(
  schema: StructuralSchema
): ((value: unknown, path: Path | undefined, errors: FieldErrors) => void) | undefined {
  const walk = compile(schema)
  if (!walk) return undefined
  return (value, path, errors) => {
    walk(value, path, (resource, place) => {
      validate(resource, place, errors)
      return true
    })
  }
}

function compile(schema: StructuralSchema): Walk | undefined {
  const fields = new Map<string, Walk>()
  for (const [name, field] of schema.properties ?? []) {
    const walk = compile(field)
    if (walk) fields.set(name, walk)
  }
  const values = typeof schema.additionalProperties === 'object' ? compile(schema.additionalProperties) : undefined
  const items = schema.items && compile(schema.items)
  const { embeddedResource } = schema
  if (fields.size === 0 && !values && !items && !embeddedResource) return undefined

  return (value, path, visit) => {
    if (Array.isArray(value)) return !items || value.every((item, i) => items(item, path?.index(i), visit))
    if (!isObject(value)) return true
    if (embeddedResource && !visit(value, path)) return false
    for (const [name, walk] of fields)
      if (Object.hasOwn(value, name) && !walk(value[name], below(path, name), visit)) return false
    return !values || Object.keys(value).every(key => fields.has(key) || values(value[key], path?.key(key), visit))
  }
}

function coerce(resource: JsonObject, path: Path | undefined, errors: FieldErrors, unknown: UnknownFields | undefined): void {
  for (const name of ['apiVersion', 'kind']) {
    if (Object.hasOwn(resource, name) && typeof resource[name] !== 'string')
      errors.invalid(below(path, name), sorted(resource[name]), 'must be a string')
  }
  if (!Object.hasOwn(resource, 'metadata')) return
  const { metadata } = resource
  const place = below(path, 'metadata')
  const meta = readMeta(metadata, place, errors)
  if (!meta) return
  if (unknown) {
    for (const finding of strictFindings(exactJson(metadata), objectMeta())) unknown.add(`${place}.${finding.path}`)
  }
  setKey(resource, 'metadata', meta)
}

function dropUnreadable(resource: JsonObject): void {
  for (const name of ['apiVersion', 'kind'])
    if (Object.hasOwn(resource, name) && typeof resource[name] !== 'string') delete resource[name]
  const { metadata } = resource
  if (!isObject(metadata)) return
  for (const name of Object.keys(metadata)) {
    const alone: JsonObject = {}
    setKey(alone, name, metadata[name])
    if (!readMeta(alone, Path.of('metadata'), new FieldErrors())) delete metadata[name]
  }
}

function readMeta(metadata: unknown, place: Path, errors: FieldErrors): ObjectMeta | undefined {
  try {
    const { object } = decode(objectMeta(), metadata ?? {})
    if (object.creationTimestamp === null) delete object.creationTimestamp
    return object
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    errors.invalid(place, sorted(metadata), error.message)
    return undefined
  }
}

function validate(resource: JsonObject, path: Path | undefined, errors: FieldErrors): void {
  for (const name of ['apiVersion', 'kind']) {
    const place = below(path, name)
    const value = resource[name]
    if (!Object.hasOwn(resource, name)) errors.required(place)
    else if (typeof value !== 'string') errors.invalid(place, sorted(value), 'must be a string')
    else if (value === '') errors.invalid(place, value, 'must not be empty')
    else if (name === 'apiVersion') {
      if (value !== '/' && value.split('/').length > 2) errors.invalid(place, value, `unexpected GroupVersion string: ${value}`)
    } else {
      const wrong = isDns1035Label(value.toLowerCase())
      if (wrong.length > 0) errors.invalid(place, value, `may have mixed case, but should otherwise match: ${wrong.join(',')}`)
    }
  }
  if (!Object.hasOwn(resource, 'metadata')) return
  const place = below(path, 'metadata')
  const meta = readMeta(resource.metadata, place, errors)
  if (meta) validateEmbeddedMeta(meta, place, errors)
}
