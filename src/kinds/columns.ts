/** Table columns of the built-in kinds: what they are called is a generated table, what stands in them is in the kind's file. */
import { readFileSync } from 'node:fs'
import { age } from '../formats/table.js'
import type { Column, ColumnContext } from '../registry/kind.js'

type Definition = Required<Omit<Column<unknown>, 'value'>>

let table: Map<string, Definition[]> | undefined

/** The columns of a resource ("pods", "apps/deployments") with a function for each, by its name. */
export function builtinColumns<T>(
  resource: string,
  values: Record<string, (object: T, context: ColumnContext) => unknown>
): Column<T>[] {
  table ??= new Map(Object.entries(JSON.parse(readFileSync(new URL('./generated/columns.json', import.meta.url), 'utf8'))))
  const definitions = table.get(resource)
  if (!definitions) throw new Error(`no columns are known for ${resource}`)
  return definitions.map(definition => {
    const value = values[definition.name]
    if (!value) throw new Error(`${resource}: column ${definition.name} has no value`)
    return { ...definition, value }
  })
}

/** Name or Age as all kinds show them, for kinds that give their other columns themselves. */
export function commonColumn(name: 'Name' | 'Age'): Column<any> {
  return builtinColumns<any>('configmaps', { Name: o => o.metadata.name, Data: () => 0, Age: age }).find(
    column => column.name === name
  )!
}

/** "a=b,c=d": labels as columns show them. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(pair => pair.join('='))
  return pairs.sort().join(',') || '<none>'
}
