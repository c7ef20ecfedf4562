/** The fields that rules at the root of a resource can access even if the schema does not declare them. */
import { type StructuralSchema, structuralSchema } from '../structural.js'

const text = structuralSchema({ type: 'string' })
const metadata = structuralSchema({ type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } })

const known = new WeakMap<StructuralSchema, StructuralSchema>()

/** Adds kind, apiVersion, metadata.name and metadata.generateName. Other metadata is not accessible. */
export function withTypeAndObjectMeta(schema: StructuralSchema): StructuralSchema {
  const made = known.get(schema)
  if (made) return made
  const properties = new Map(schema.properties)
  const declared = properties.get('metadata')?.properties
  const isComplete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    properties.get('metadata')?.type === 'object' &&
    declared?.get('name')?.type === 'string' &&
    declared.get('generateName')?.type === 'string'
  const result = isComplete
    ? schema
    : { ...schema, properties: properties.set('kind', text).set('apiVersion', text).set('metadata', metadata) }
  known.set(schema, result)
  return result
}
