/** The type that a schema has in expressions, with the sizes that cost estimates use. */
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  type Type,
  timestampType
} from '../../cel/types.js'
import type { StructuralSchema } from '../structural.js'
import { escapeName } from './escape.js'
import { withTypeAndObjectMeta } from './resource-root.js'

export interface DeclaredType {
  readonly type: Type
  /** The most elements, entries or characters; 0 for types without a size. */
  readonly maxElements: number
  /** The fewest bytes of JSON. */
  readonly minSize: number
  /** The type of a list's items or of a map's values. */
  readonly element?: DeclaredType
  readonly key?: DeclaredType
  /** By their escaped names. */
  readonly fields?: ReadonlyMap<string, DeclaredType>
}

export const maxRequestSize = 3 * 1024 * 1024
const maxTextLength = maxRequestSize - 2

/** Strings of these formats have types of their own: [type, smallest JSON, longest text]. */
const formats: Record<string, readonly [Type, number, number]> = {
  duration: [durationType, 3, 32],
  date: [timestampType, 12, 12],
  'date-time': [timestampType, 21, 32]
}

const scalar = (type: Type, minSize: number, maxElements = 0): DeclaredType => ({ type, minSize, maxElements })
const atLeast0 = (n: number) => Math.max(0, n)

/**
 * Returns the type of a schema; undefined for schemas that expressions cannot access: unknown fields, and lists and maps of them.
 * Object types have a name, which errors show; nested ones are named after their path.
 */
export function declaredType(schema: StructuralSchema, isResourceRoot: boolean, name: string): DeclaredType | undefined {
  if (schema.intOrString) return intOrString(schema)
  const seen = isResourceRoot ? withTypeAndObjectMeta(schema) : schema
  switch (seen.type) {
    case 'array':
      return list(seen, name)
    case 'object':
      return typeof seen.additionalProperties === 'object' ? map(seen, name) : object(seen, name)
    case 'string':
      return text(seen)
    case 'boolean':
      return scalar(boolType, 4)
    case 'number':
      return scalar(doubleType, 1)
    case 'integer':
      return scalar(intType, 1)
    default:
      return undefined
  }
}

function intOrString({ source }: StructuralSchema): DeclaredType {
  return scalar(dynType, 1, source.maxLength === undefined ? maxTextLength : atLeast0(source.maxLength) * 4)
}

function text({ source }: StructuralSchema): DeclaredType {
  const { format = '', maxLength } = source
  if (format === 'byte') return scalar(bytesType, 2, maxLength === undefined ? maxTextLength : atLeast0(maxLength))
  const special = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (special) return scalar(...special)
  // a character may take four bytes
  if (maxLength !== undefined) return scalar(stringType, 2, atLeast0(maxLength) * 4)
  return scalar(stringType, 2, longestValue(source.enum) ?? maxTextLength)
}

function longestValue(values: readonly unknown[] | undefined): number | undefined {
  if (!values || values.length === 0) return undefined
  return Math.max(0, ...values.map(v => (typeof v === 'string' ? Buffer.byteLength(v) : 0)))
}

function list({ items, source }: StructuralSchema, name: string): DeclaredType | undefined {
  const element = items && declaredType(items, items.embeddedResource, `${name}.@idx`)
  if (!element) return undefined
  const maxElements =
    source.maxItems === undefined ? Math.floor(maxTextLength / (element.minSize + 1)) : atLeast0(source.maxItems)
  return { type: listType(element.type), minSize: 2, maxElements, element }
}

function map({ additionalProperties, source }: StructuralSchema, name: string): DeclaredType | undefined {
  const values = additionalProperties as StructuralSchema
  const element = declaredType(values, values.embeddedResource, `${name}.@elem`)
  if (!element) return undefined
  // each entry takes at least two quotes, a colon and a comma, and keys are distinct
  const fits = Math.floor(maxTextLength / (element.minSize + 6))
  const maxElements = source.maxProperties === undefined ? fits : atLeast0(source.maxProperties)
  return { type: mapType(stringType, element.type), minSize: 2, maxElements, element, key: scalar(stringType, 2) }
}

function object({ properties, source }: StructuralSchema, name: string): DeclaredType {
  const required = new Set(source.required)
  const fields = new Map<string, DeclaredType>()
  let minSize = 2
  for (const [property, schema] of properties ?? []) {
    const escaped = escapeName(property)
    const field = declaredType(schema, schema.embeddedResource, `${name}.${escaped ?? property}`)
    if (!field) continue
    if (escaped !== undefined) fields.set(escaped, field)
    // the server sets defaults, so they need no bytes in the request
    if (required.has(property) && schema.default === undefined) minSize += Buffer.byteLength(property) + field.minSize + 4
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type]))
  return { type: objectType(name, types), minSize, maxElements: 0, fields }
}

/** Returns the type at a path below a declared type. Steps are fields, "@items", "@values", "@keys". */
export function descend(type: DeclaredType, path: readonly string[]): DeclaredType | undefined {
  let current: DeclaredType | undefined = type
  for (const step of path) {
    if (step === '@items' || step === '@values') current = current?.element
    else if (step === '@keys') current = current?.key
    else current = current?.fields?.get(step)
  }
  return current
}
