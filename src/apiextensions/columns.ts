/** Makes the Table columns of a custom resource: its name, and the definition's additionalPrinterColumns. */
import type { CustomResourceColumnDefinition } from '../apimachinery/api/generated/apiextensions-v1.js'
import type { Column, ColumnContext } from '../apimachinery/formats/column.js'
import { columnDefinitions } from '../kinds/columns.js'
import { exactJson } from '../util/exact-json.js'
import { type Budget, jsonPath, newBudget } from './json-path.js'

/** The only column of a definition without additionalPrinterColumns. */
const ageColumn: CustomResourceColumnDefinition = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

export function customColumns(declared: readonly CustomResourceColumnDefinition[] | undefined): Column<any>[] {
  // the texts are those of the same metadata in the definitions' own columns
  const definitions = columnDefinitions('apiextensions.k8s.io/customresourcedefinitions')
  const name = { ...definitions.find(column => column.name === 'Name')!, value: (o: any) => o.metadata.name }
  const { description } = definitions.find(column => column.name === 'Created At')!
  const columns = declared?.length ? declared : [{ ...ageColumn, description }]
  // all columns of a row share a budget, which begins with the first one
  let budget = newBudget()
  const budgetOf = (column: number) => (column === 0 ? (budget = newBudget()) : budget)
  return [name, ...columns.map((column, i) => columnOf(column, () => budgetOf(i)))]
}

function columnOf(
  { name, type, format, description, priority, jsonPath: path }: CustomResourceColumnDefinition,
  budget: () => Budget
): Column<any> {
  const find = jsonPath(path)
  return {
    name,
    type: type as Column<any>['type'],
    format: format ?? '',
    description: description || `Custom resource definition column (in JSONPath format): ${path}`,
    priority: priority ?? 0,
    nullable: true,
    value: (object, context) => cell(type, find?.(object, budget()), context)
  }
}

/** Formats a cell. A column shows only values of its own type, but a string column shows all. */
function cell(type: string, value: unknown, context: ColumnContext): unknown {
  if (value === undefined) return null
  // Go's templates print null so
  if (value === null) return type === 'string' ? '<no value>' : null
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : exactJson(value)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value !== 'string' ? null : Number.isNaN(Date.parse(value)) ? '<invalid>' : context.since(value)
    default:
      return null
  }
}
