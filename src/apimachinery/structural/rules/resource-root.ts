/** The fields that rules at the root of a resource can access even if the schema does not declare them. */
import type { JSONSchemaProps } from '../../api/generated/apiextensions-v1.js'
import { type StructuralSchema, structuralSchema } from '../structural.js'

const text = structuralSchema({ type: 'string' })
/** Bytes of the longest name. */
const longestName = 253

/** The metadata that rules see. Names have a greatest length, so that rules about them cost no more than they can. */
function metadataOf(declared: StructuralSchema | undefined): StructuralSchema {
  const text = (name: string, longest: number): JSONSchemaProps => ({
    type: 'string',
    maxLength: Math.min(longest, declared?.properties?.get(name)?.source.maxLength ?? longest)
  })
  // a generated suffix has a byte at least
  return structuralSchema({
    type: 'object',
    properties: { name: text('name', longestName), generateName: text('generateName', longestName - 1) }
  })
}

const known = new WeakMap<StructuralSchema, StructuralSchema>()

/** Adds kind, apiVersion, metadata.name and metadata.generateName. Other metadata is not accessible. */
export function withTypeAndObjectMeta(schema: StructuralSchema): StructuralSchema {
  const made = known.get(schema)
  if (made) return made
  const properties = new Map(schema.properties)
  const metadata = properties.get('metadata')
  const declared = metadata?.properties
  const isComplete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    declared?.get('name')?.type === 'string' &&
    declared.get('generateName')?.type === 'string'
  const result = isComplete
    ? schema
    : { ...schema, properties: properties.set('kind', text).set('apiVersion', text).set('metadata', metadataOf(metadata)) }
  known.set(schema, result)
  return result
}
