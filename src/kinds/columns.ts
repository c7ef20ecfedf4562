/** Table columns of the built-in kinds: what they are called is a generated table, what stands in them is in the kind's file. */
import { readFileSync } from 'node:fs'
import type { Column, ColumnContext } from '../registry/kind.js'

type Definition = Required<Omit<Column<unknown>, 'value'>>

let table: Map<string, Definition[]> | undefined

/** The columns of a resource ("pods", "apps/deployments") with a function for each, by its name. */
export function builtinColumns<T>(resource: string, values: Record<string, (object: T, context: ColumnContext) => unknown>): Column<T>[] {
  table ??= new Map(Object.entries(JSON.parse(readFileSync(new URL('./generated/columns.json', import.meta.url), 'utf8'))))
  const definitions = table.get(resource)
  if (!definitions) throw new Error(`no columns are known for ${resource}`)
  return definitions.map(definition => {
    const value = values[definition.name]
    if (!value) throw new Error(`${resource}: column ${definition.name} has no value`)
    return { ...definition, value }
  })
}
