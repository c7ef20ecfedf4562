/**
 * The schema of a custom resource's version, in the form that serving uses. It is a structural schema: its shape (types, properties,
 * items) is declared from the root, and never inside `allOf`, `anyOf`, `oneOf` or `not`
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema).
 */
import type { JSONSchemaProps, ValidationRule } from '../api/generated/apiextensions-v1.js'

export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

export interface StructuralSchema {
  /** Undefined if any type is allowed: int-or-string and preserved unknown fields. */
  readonly type: JsonType | undefined
  readonly nullable: boolean
  /** Undefined for no default; null is a default. */
  readonly default: unknown
  readonly properties: ReadonlyMap<string, StructuralSchema> | undefined
  /** The schema for the values of undeclared keys; true allows any value. Never set together with properties. */
  readonly additionalProperties: StructuralSchema | boolean | undefined
  readonly items: StructuralSchema | undefined
  readonly embeddedResource: boolean
  readonly preserveUnknownFields: boolean
  readonly intOrString: boolean
  readonly listType: 'atomic' | 'set' | 'map' | undefined
  /** In the declared order. */
  readonly listMapKeys: readonly string[]
  readonly mapType: 'atomic' | 'granular' | undefined
  /** x-kubernetes-validations */
  readonly rules: readonly ValidationRule[]
  /** The declared schema, from which value validations (format, maximum, pattern, allOf …) are read. */
  readonly source: JSONSchemaProps
}

/** Reads a declared schema. Ignores parts that are not structural, because definitions are validated before they are served. */
export function structuralSchema(source: JSONSchemaProps): StructuralSchema {
  const { properties, additionalProperties, items } = source
  return {
    type: source.type as JsonType | undefined,
    nullable: source.nullable === true,
    default: source.default,
    properties: properties && new Map(Object.entries(properties).map(([name, p]) => [name, structuralSchema(p)])),
    additionalProperties: isSchema(additionalProperties)
      ? structuralSchema(additionalProperties)
      : (additionalProperties as boolean | undefined),
    items: isSchema(items) ? structuralSchema(items) : undefined,
    embeddedResource: source['x-kubernetes-embedded-resource'] === true,
    preserveUnknownFields: source['x-kubernetes-preserve-unknown-fields'] === true,
    intOrString: source['x-kubernetes-int-or-string'] === true,
    listType: source['x-kubernetes-list-type'] as StructuralSchema['listType'],
    listMapKeys: source['x-kubernetes-list-map-keys'] ?? noKeys,
    mapType: source['x-kubernetes-map-type'] as StructuralSchema['mapType'],
    rules: source['x-kubernetes-validations'] ?? noRules,
    source
  }
}

const noKeys: readonly string[] = []
const noRules: readonly ValidationRule[] = []

export function isSchema(value: unknown): value is JSONSchemaProps {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
