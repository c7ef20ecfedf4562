/** What rules at the root of a resource see whether or not the schema declares it. */
import { type StructuralSchema, structuralSchema } from '../structural.js'

const text = structuralSchema({ type: 'string' })
const metadata = structuralSchema({ type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } })

const known = new WeakMap<StructuralSchema, StructuralSchema>()

/** kind, apiVersion, metadata.name and metadata.generateName; of the rest of the metadata nothing is seen. */
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
