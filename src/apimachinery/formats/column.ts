/** The Table of a kind: its columns, and the conditions of its rows. */

export interface Column<T> {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority?: number
  /** The column has cells but no definition: some of kube-apiserver's tables have one cell too many. */
  readonly undefined?: boolean
  /** A missing text is null instead of "". */
  readonly nullable?: boolean
  readonly value: (object: T, context: ColumnContext) => unknown
}

/** A condition of a whole row. */
export interface RowCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** The inputs of a cell besides its object. Each read limits how long the row stays correct. */
export interface ColumnContext {
  /** The present time in milliseconds. A row that reads it is encoded anew every second, so use `since` for ages. */
  readonly now: number
  /** The time since `time`, as kubectl shows ages: "3d4h", or "<unknown>" without a time. */
  since(time: string | null | undefined): string
}

export interface TableDefinition<T> {
  /** Undefined for the default columns: name and creation time. */
  readonly columns?: readonly Column<T>[]
  /** An empty Table has null in place of its rows, as those with the default columns have. */
  readonly nullRows?: true
  readonly rowConditions?: (object: T) => readonly RowCondition[]
}
