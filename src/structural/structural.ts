/**
 * The schema of a custom resource's version in the form in which everything that serves it reads it: a structural schema,
 * whose shape (types, properties, items) is declared from the root and never under a logical junctor
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema).
 */
import type { JSONSchemaProps, ValidationRule } from '../api/generated/apiextensions-v1.js'

export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

export interface StructuralSchema {
  /** undefined where any value may stand: int-or-string and preserved unknown fields. */
  readonly type: JsonType | undefined
  readonly nullable: boolean
  /** undefined for no default: null is one. */
  readonly default: unknown
  readonly properties: ReadonlyMap<string, StructuralSchema> | undefined
  /** A schema for the values of all other keys; true allows them as they are. Never together with properties. */
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
  /** As declared: the value validations (format, maximum, pattern, allOf …) are read from here. */
  readonly source: JSONSchemaProps
}

/** Reads a declared schema. What is not structural is not looked at: definitions are validated before they are served. */
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
