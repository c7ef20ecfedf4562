/** The Table form, which `kubectl get` prints (https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables). */
import type { Column, ColumnContext } from '../registry/kind.js'
import type { Resource } from '../registry/resource.js'
import type { RequestContext } from '../server/context.js'
import { badRequest } from '../server/status.js'
import type { OutputForm } from './negotiate.js'
import { partialObject } from './partial.js'
import { humanDuration } from '../util/duration.js'

export interface TableOptions {
  readonly context: RequestContext
  readonly form: OutputForm
  readonly now: number
  readonly metadata: Record<string, unknown>
  /** Watch events after the first leave them out. */
  readonly withoutColumns?: boolean
}

interface ColumnDefinition {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

/** What kube-apiserver shows for kinds without columns of their own. */
const defaultColumns: readonly Column<any>[] = [
  { name: 'Name', type: 'string', format: 'name', description: '', value: o => o.metadata.name },
  { name: 'Created At', type: 'date', description: '', value: o => o.metadata.creationTimestamp }
]

const definitions = new WeakMap<readonly Column<any>[], ColumnDefinition[]>()

function definitionsOf(columns: readonly Column<any>[]): ColumnDefinition[] {
  let known = definitions.get(columns)
  if (!known) {
    known = columns.map(c => ({ name: c.name, type: c.type, format: c.format ?? '', description: c.description, priority: c.priority ?? 0 }))
    definitions.set(columns, known)
  }
  return known
}

type Include = 'None' | 'Metadata' | 'Object'

function includeOption(context: RequestContext): Include {
  const value = context.query.get('includeObject') ?? ''
  if (value === '' || value === 'Metadata') return 'Metadata'
  if (value === 'None' || value === 'Object') return value
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`)
}

export function tableRow(columns: readonly Column<any>[], object: any, include: Include, columnContext: ColumnContext, version: string): unknown {
  const row: Record<string, unknown> = { cells: columns.map(c => c.value(object, columnContext) ?? null) }
  if (include === 'None') row.object = null
  else row.object = include === 'Metadata' ? partialObject(object, version) : object
  return row
}

/** Objects of one version as a Table. */
export function toTable(resource: Resource, objects: readonly any[], options: TableOptions): unknown {
  const { context, form, now } = options
  const columns = resource.kind.columns ?? defaultColumns
  const include = includeOption(context)
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${form.transformVersion}`,
    metadata: options.metadata,
    columnDefinitions: options.withoutColumns ? null : definitionsOf(columns),
    rows: objects.map(object => tableRow(columns, object, include, { now }, form.transformVersion))
  }
}

/** The "Age" that most kinds show: "3d4h", "<unknown>" for objects without a creation time. */
export const age = (object: any, { now }: ColumnContext): string => since(object.metadata.creationTimestamp, now)

export function since(time: string | null | undefined, now: number): string {
  return time ? humanDuration(now - Date.parse(time)) : '<unknown>'
}
