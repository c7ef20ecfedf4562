import { signal } from '@preact/signals'
import { collectionPath } from '../api/paths.js'
import type { ColumnDefinition, ObjectMeta, Resource, Table, TableRow } from '../api/types.js'
import { oncePerFrame } from './frames.js'
import { type LiveState, listAndWatch } from './list-watch.js'
import { type Order, orderOf, type Row } from './rows.js'
import { SortedView } from './sorted-view.js'

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

export interface TableQuery {
  readonly namespace: string
  readonly labelSelector: string
  readonly fieldSelector: string
}

/** The rows of a resource as the server's Tables show them, kept up to date by a watch. Views redraw when `version` changes. */
export class LiveTable {
  readonly columns = signal<readonly ColumnDefinition[]>([])
  readonly state = signal<LiveState>({ is: 'loading' })
  /** Grows with each change of the rows, at most once in a frame. */
  readonly version = signal(0)
  readonly #resource: Resource
  readonly #query: TableQuery
  readonly #rows = new Map<string, Row>()
  readonly #stop = new AbortController()
  readonly #redraw = oncePerFrame(() => {
    this.#apply()
    this.version.value++
  })
  #changed = new Map<string, TableRow | undefined>()
  #view = new SortedView<Row>(orderOf({ column: undefined, descending: false }), () => true)

  constructor(resource: Resource, query: TableQuery) {
    this.#resource = resource
    this.#query = query
  }

  /** The rows to show. The array is the same until `version` changes. */
  get rows(): readonly Row[] {
    return this.#view.items
  }

  /** How many rows there are, shown or not. */
  get count(): number {
    return this.#rows.size
  }

  show(order: Order, includes: (row: Row) => boolean): void {
    this.#view = new SortedView(orderOf(order), includes)
    this.#view.fill(this.#rows.values())
    this.version.value++
  }

  start(): void {
    const { namespace, labelSelector, fieldSelector } = this.#query
    const source = {
      path: collectionPath(this.#resource, namespace),
      accept,
      query: { labelSelector, fieldSelector, includeObject: 'Metadata' },
      canWatch: this.#resource.verbs.includes('watch'),
      onRestart: () => {
        this.#changed.clear()
        this.#rows.clear()
        this.#view.fill([])
      },
      onPage: (table: Table) => {
        if (table.columnDefinitions?.length) this.columns.value = table.columnDefinitions
        const added = (table.rows ?? []).map(row => toRow(row))
        for (const row of added) this.#rows.set(row.uid, row)
        this.#view.addAll(added)
        this.#redraw()
      },
      onEvent: ({ type, object }: { type: string; object: Table }) => {
        for (const row of object.rows ?? []) this.#changed.set(keyOf(row.object.metadata), type === 'DELETED' ? undefined : row)
        this.#redraw()
      },
      onState: (state: LiveState) => {
        this.state.value = state
      }
    }
    void listAndWatch<Table>(source, this.#stop.signal)
  }

  stop(): void {
    this.#stop.abort()
    this.#redraw.cancel()
  }

  /** Takes over what has changed since the last frame: of an object that changed twice, the last state. */
  #apply(): void {
    for (const [uid, tableRow] of this.#changed) {
      const before = this.#rows.get(uid)
      const after = tableRow && toRow(tableRow)
      if (after) this.#rows.set(uid, after)
      else this.#rows.delete(uid)
      this.#view.replace(before, after)
    }
    this.#changed.clear()
  }
}

// Objects that an extension API server computes may have no uid.
const keyOf = (metadata: ObjectMeta): string => metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`

/** Keeps what a table shows: the other metadata of 100,000 objects would fill the memory of the page. */
function toRow({ cells, object: { metadata } }: TableRow): Row {
  const { name, namespace = '', labels, creationTimestamp, deletionTimestamp } = metadata
  return {
    uid: keyOf(metadata),
    name,
    namespace,
    cells,
    labels,
    created: creationTimestamp ? Date.parse(creationTimestamp) : 0,
    deleting: deletionTimestamp !== undefined
  }
}
