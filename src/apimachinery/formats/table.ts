/**
 * The Table form, which `kubectl get` prints
 * (https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables).
 */

import { humanDuration, untilDurationChanges } from '../../util/duration.js'
import { exactJson } from '../../util/exact-json.js'
import type { RequestContext } from '../request/context.js'
import type { BodyPieces } from '../request/message.js'
import { badRequest } from '../status/status.js'
import { goJson } from '../validation/go-value.js'
import type { Column, ColumnContext, RowCondition, TableDefinition } from './column.js'
import { joinedBody } from './joined-body.js'
import type { OutputForm } from './negotiate.js'
import { type PartialKind, partialObject } from './partial.js'
import { mapped, streamedList } from './streamed-list.js'

export interface TableOptions {
  readonly context: RequestContext
  readonly form: OutputForm
  readonly now: number
  readonly metadata: Record<string, unknown>
  /** Set for watch events after the first one, which omit the columns. */
  readonly withoutColumns?: boolean
}

interface ColumnDefinition {
  name: string
  type: string
  format: string
  description: string
  priority: number
}

/** The columns that kube-apiserver shows for kinds without columns of their own. */
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
    // Go's zero time
    value: o => o.metadata.creationTimestamp ?? '0001-01-01T00:00:00Z'
  }
]

const definitions = new WeakMap<readonly Column<any>[], ColumnDefinition[]>()

function definitionsOf(columns: readonly Column<any>[]): ColumnDefinition[] {
  let known = definitions.get(columns)
  if (!known) {
    const named = columns.filter(c => !c.undefined)
    known = named.map(c => ({
      name: c.name,
      type: c.type,
      format: c.format ?? '',
      description: c.description,
      priority: c.priority ?? 0
    }))
    definitions.set(columns, known)
  }
  return known
}

type Include = 'None' | 'Metadata' | 'Object'

/** Reads the includeObject option, which decides what each row contains of its object. Throws 400 for an unknown value. */
export function includeOption(context: RequestContext): Include {
  const value = context.query.get('includeObject') ?? ''
  if (value === '' || value === 'Metadata') return 'Metadata'
  if (value === 'None' || value === 'Object') return value
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goJson(value)}: must be 'Metadata', 'Object', 'None', or empty`
  )
}

/** The properties of a resource that a Table depends on. */
interface Tabled {
  readonly kind: PartialKind & { readonly table?: TableDefinition<any> }
  /** Converts an object to the version of the request, if that differs. */
  inVersion?(object: any, version: string): any
}

/** A resource whose cached objects, of type `O`, keep their encoded rows. */
interface CachedTable<O extends object> extends Tabled {
  /** The parsed object. */
  parse(cached: O): any
  readonly rows: { get(cached: O): TableRow | undefined; set(cached: O, row: TableRow, size: number): void }
}

/** An encoded row for one form of Table, and the time until which it is correct (milliseconds since 1970). */
export interface TableRow {
  readonly form: string
  readonly row: Buffer
  readonly expires: number
}

interface Row {
  readonly cells: unknown[]
  readonly conditions?: readonly RowCondition[]
  readonly object: unknown
}

/** `object` is in the storage version, from which the cells are computed in every requested version. */
function tableRow(resource: Tabled, object: any, include: Include, clock: RowClock, { context, form }: TableOptions): Row {
  const { kind } = resource
  const columns = columnsOf(kind)
  const conditions = kind.table?.rowConditions?.(object) ?? []
  const shown = () => {
    if (include === 'None') return null
    if (include === 'Metadata') return partialObject(object, form.transformVersion, kind)
    return resource.inVersion?.(object, context.info.version) ?? object
  }
  return {
    cells: columns.map(c => c.value(object, clock) ?? (c.type === 'string' && !c.nullable ? '' : null)),
    ...(conditions.length > 0 ? { conditions } : {}),
    object: shown()
  }
}

const columnsOf = (kind: Tabled['kind']): readonly Column<any>[] => kind.table?.columns ?? defaultColumns

/** kube-apiserver's printer of the default columns makes no list of rows where there are none. */
const hasNullRows = ({ kind }: Tabled, { length }: readonly unknown[]) =>
  length === 0 && (!kind.table?.columns || kind.table.nullRows === true)

function tableHead({ kind }: Tabled, { form, metadata, withoutColumns }: TableOptions) {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${form.transformVersion}`,
    metadata,
    columnDefinitions: withoutColumns ? null : definitionsOf(columnsOf(kind))
  }
}

/** Converts objects of the storage version to a Table. */
export function toTable(resource: Tabled, objects: readonly any[], options: TableOptions): unknown {
  const { top, rows } = tableInParts(resource, objects, options)
  return { ...top, rows: hasNullRows(resource, objects) ? null : [...rows] }
}

/** The same with rows that are made when they are taken. */
export function tableInParts(
  resource: Tabled,
  objects: Iterable<any>,
  options: TableOptions
): { top: object; rows: Iterable<Row> } {
  const include = includeOption(options.context)
  const clock = new RowClock(options.now)
  const rows = mapped(objects, object => tableRow(resource, object, include, clock, options))
  return { top: tableHead(resource, options), rows }
}

/**
 * Returns the Table of cached objects as JSON. Encoded rows are kept as long as the ages they show stay correct, so that a
 * repeated list is cheap.
 */
export function tableBody<O extends object>(
  resource: CachedTable<O>,
  objects: readonly O[],
  options: TableOptions
): Buffer | BodyPieces {
  const include = includeOption(options.context)
  const { version } = options.context.info
  const form = `${version} ${options.form.transformVersion} ${include}`
  const known = (cached: O): Buffer | undefined => {
    const made = resource.rows.get(cached)
    return made && made.form === form && made.expires > options.now ? made.row : undefined
  }
  const make = (cached: O): Buffer => {
    const clock = new RowClock(options.now)
    const row = Buffer.from(exactJson(tableRow(resource, resource.parse(cached), include, clock, options)))
    resource.rows.set(cached, { form, row, expires: clock.expires }, row.length)
    return row
  }
  const head = `${exactJson(tableHead(resource, options)).slice(0, -1)},"rows":[`
  if (hasNullRows(resource, objects)) return Buffer.from(`${head.slice(0, -1)}null}\n`)
  const rows: Buffer[] = []
  for (const cached of objects) {
    const row = known(cached)
    if (!row) break
    rows.push(row)
  }
  if (rows.length === objects.length) return joinedBody(head, rows)
  return streamedList(
    { head, separator: ',', end: ']}\n' },
    mapped(objects, cached => known(cached) ?? make(cached))
  )
}

/** Tells cells the time, and records how long they stay correct. */
export class RowClock implements ColumnContext {
  readonly #now: number
  /** Milliseconds since 1970 at which the first cell changes. */
  expires = Number.POSITIVE_INFINITY

  constructor(now: number) {
    this.#now = now
  }

  get now(): number {
    this.expires = Math.min(this.expires, this.#now + untilDurationChanges(0))
    return this.#now
  }

  since(time: string | null | undefined): string {
    if (!time) return '<unknown>'
    const passed = this.#now - Date.parse(time)
    this.expires = Math.min(this.expires, this.#now + untilDurationChanges(passed))
    return humanDuration(passed)
  }
}

/** The "Age" that most kinds show: "3d4h", "<unknown>" for objects without a creation time. */
export const age = (object: any, context: ColumnContext): string => context.since(object.metadata.creationTimestamp)
