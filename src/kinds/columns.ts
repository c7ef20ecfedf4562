/** Table columns of the built-in kinds. Their definitions are a generated table; the kinds' files compute the cells. */
import { readFileSync } from 'node:fs'
import type { Column, ColumnContext } from '../apimachinery/formats/column.js'
import { age } from '../apimachinery/formats/table.js'

type Definition = Omit<Column<unknown>, 'value'>

let table: Map<string, Definition[]> | undefined

type Value<T> = (object: T, context: ColumnContext) => unknown

/** The cells that most kinds compute in the same way. */
const commonValues: Record<string, Value<any>> = { Name: o => o.metadata.name, Age: age }

/** What a resource ("pods", "apps/deployments") says of its columns. */
export function columnDefinitions(resource: string): readonly Definition[] {
  table ??= new Map(Object.entries(JSON.parse(readFileSync(new URL('./generated/columns.json', import.meta.url), 'utf8'))))
  const definitions = table.get(resource)
  if (!definitions) throw new Error(`no columns are known for ${resource}`)
  return definitions
}

/** The columns of a resource. `values` has a function for each, by the column's name. */
export function builtinColumns<T>(resource: string, values: Record<string, Value<T>>): Column<T>[] {
  return columnDefinitions(resource).map(definition => {
    const value = values[definition.name] ?? commonValues[definition.name]
    if (!value) throw new Error(`${resource}: column ${definition.name} has no value`)
    return { ...definition, value }
  })
}

/** A cell without a column definition. */
export const undefinedColumn = (value: Value<any>): Column<any> => ({
  name: '',
  type: 'string',
  description: '',
  undefined: true,
  value
})

/** Formats labels as columns show them: "a=b,c=d". */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(pair => pair.join('='))
  return pairs.sort().join(',') || '<none>'
}
