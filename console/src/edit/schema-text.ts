import type { KindSchema, Schema } from '../api/openapi.js'

/** How a schema's type is written for people: `[]string`, `map[string]Quantity`. */
export function typeText(schema: Schema | undefined, kind: KindSchema): string {
  const resolved = kind.resolve(schema)
  if (!resolved) return ''
  if (resolved.type === 'array') return `[]${typeText(resolved.items, kind)}`
  if (typeof resolved.additionalProperties === 'object') return `map[string]${typeText(resolved.additionalProperties, kind)}`
  if (resolved['x-kubernetes-int-or-string']) return 'int or string'
  return resolved.format && resolved.format !== 'int32' && resolved.format !== 'int64'
    ? resolved.format
    : (resolved.type ?? 'any')
}
