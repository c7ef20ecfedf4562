/** The Table form, which `kubectl get` prints (https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables). */
import type { Column, ColumnContext, RowCondition } from '../registry/kind.js'
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
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description:
      'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
    value: o => o.metadata.name
  },
  {
    name: 'Created At',
    type: 'date',
    description:
      'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
    value: o => o.metadata.creationTimestamp
  }
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

/** What the rows hold of their objects: 400 for anything but the known values. */
export function includeOption(context: RequestContext): Include {
  const value = context.query.get('includeObject') ?? ''
  if (value === '' || value === 'Metadata') return 'Metadata'
  if (value === 'None' || value === 'Object') return value
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`)
}

export function tableRow(columns: readonly Column<any>[], object: any, include: Include, columnContext: ColumnContext, version: string, conditions: readonly RowCondition[] = []): unknown {
  const row: Record<string, unknown> = { cells: columns.map(c => c.value(object, columnContext) ?? (c.type === 'string' ? '' : null)) }
  if (conditions.length > 0) row.conditions = conditions
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
    rows: objects.map(object => tableRow(columns, object, include, { now }, form.transformVersion, resource.kind.rowConditions?.(object)))
  }
}

/** The "Age" that most kinds show: "3d4h", "<unknown>" for objects without a creation time. */
export const age = (object: any, { now }: ColumnContext): string => since(object.metadata.creationTimestamp, now)

export function since(time: string | null | undefined, now: number): string {
  return time ? humanDuration(now - Date.parse(time)) : '<unknown>'
}
