import type { Operation } from './operation.js'

/** Whether objects of the kind have a generation. */
export function hasGeneration({ resource: { kind }, services }: Operation): boolean {
  const { generation } = kind
  return typeof generation === 'object' && generation.gate ? services.features.enabled(generation.gate) : generation !== undefined
}
