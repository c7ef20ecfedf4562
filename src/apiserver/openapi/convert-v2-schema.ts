/** Converts schemas of OpenAPI v2 to v3. */

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
export const sortedKeys = (map: Json): string[] => Object.keys(map).sort()

const isExtra = (key: string): boolean => /^[xX]-/.test(key)

/** Returns the extensions of an object, in the order of their keys. */
export const extrasOf = (object: Json): Json =>
  Object.fromEntries(
    sortedKeys(object)
      .filter(isExtra)
      .map(key => [key, sorted(object[key])])
  )

/** Sorts the keys of all maps in a value that has no Go type. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  return isObject(value) ? Object.fromEntries(sortedKeys(value).map(key => [key, sorted(value[key])])) : value
}

const innerKeys: Readonly<Record<string, readonly string[]>> = {
  contact: ['name', 'url', 'email'],
  license: ['name', 'url']
}

/** Returns the fields with these keys in this order, and the extensions. */
export function ordered(object: Json, keys: readonly string[]): Json {
  const copy: Json = {}
  for (const key of keys) {
    const value = object[key]
    if (value !== undefined && value !== null && value !== '')
      copy[key] = isObject(value) && innerKeys[key] ? ordered(value, innerKeys[key]) : value
  }
  return { ...copy, ...extrasOf(object) }
}

export const externalDocs = (value: unknown): Json | undefined =>
  isObject(value) ? ordered(value, ['description', 'url']) : undefined

/** The fields of Go's struct for a schema, in their order. */
const schemaKeys = [
  ...['id', 'description', 'type', 'nullable', 'format', 'title', 'default', 'maximum', 'exclusiveMaximum', 'minimum'],
  ...['exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'enum'],
  ...['maxProperties', 'minProperties', 'required', 'items', 'allOf', 'oneOf', 'anyOf', 'not', 'properties'],
  ...['additionalProperties', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'],
  ...['discriminator', 'readOnly', 'externalDocs', 'example', '$schema', '$ref']
]
const known: ReadonlySet<string> = new Set(schemaKeys)

const definitionPrefix = '#/definitions/'

/**
 * Converts a schema with those inside it. Kubernetes leaves the references in some schemas as they are: `isConverted` is false
 * for these.
 */
export function convertSchema(schema: Json, isConverted = true): Json {
  const inner = (value: Json) => convertSchema(value, isConverted)
  const kept = (value: Json) => convertSchema(value, false)
  const copy: Json = {}
  for (const key of schemaKeys) {
    const value = schema[key]
    if (value === undefined || value === null) continue
    const written = converted(key, value, inner, kept)
    if (!isOmitted(key, written)) copy[key] = written
  }
  if (isConverted && typeof copy.$ref === 'string') copy.$ref = refToComponents(copy.$ref)
  const others = sortedKeys(schema).filter(key => !known.has(key))
  for (const key of others) set(copy, key, sorted(schema[key]))
  return wrapped(copy)
}

const set = (object: Json, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })

function converted(key: string, value: unknown, inner: (schema: Json) => Json, kept: (schema: Json) => Json): unknown {
  const map = (convert: (schema: Json) => Json) =>
    Object.fromEntries(sortedKeys(objectOf(value)).map(name => [name, convert(objectOf(objectOf(value)[name]))]))
  switch (key) {
    case 'properties':
      return map(inner)
    case 'patternProperties':
    case 'definitions':
      return map(kept)
    case 'items':
      return Array.isArray(value) ? value.map(item => inner(objectOf(item))) : inner(objectOf(value))
    case 'additionalProperties':
    case 'additionalItems':
      return isObject(value) ? inner(value) : value
    case 'allOf':
    case 'oneOf':
    case 'anyOf':
      return Array.isArray(value) ? value.map(item => kept(objectOf(item))) : undefined
    case 'not':
      return kept(objectOf(value))
    case 'type':
      return Array.isArray(value) && value.length === 1 ? value[0] : value
    case 'externalDocs':
      return externalDocs(value)
    default:
      return sorted(value)
  }
}

/** Values that are kept when they are empty. */
const keptEmpty: ReadonlySet<string> = new Set([
  'default',
  'items',
  'not',
  'additionalProperties',
  'additionalItems',
  'externalDocs'
])

const isOmitted = (key: string, value: unknown): boolean =>
  value === undefined ||
  (!keptEmpty.has(key) &&
    (value === '' || value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)))

function refToComponents(ref: string): string {
  const at = ref.indexOf(definitionPrefix)
  return at < 0 ? ref : `#/components/schemas/${ref.slice(at + definitionPrefix.length)}`
}

/** Puts allOf around a reference, at the place that allOf has among the keys: in v3, a reference may have no siblings. */
function wrapped(schema: Json): Json {
  const { $ref, ...rest } = schema
  if ($ref === undefined || Object.keys(rest).length === 0) return schema
  const all = { ...rest, allOf: [{ $ref }] }
  const own = schemaKeys.filter(key => Object.hasOwn(all, key))
  const others = Object.keys(all).filter(key => !known.has(key))
  return Object.fromEntries([...own, ...others].map(key => [key, (all as Json)[key]]))
}
