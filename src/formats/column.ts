/** What a kind says of its Table: columns, and what holds of a whole row. */

export interface Column<T> {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 is shown always, 1 only with `-o wide`. */
  readonly priority?: number
  /** The column has cells but no definition: kube-apiserver's tables have one cell too many here and there. */
  readonly undefined?: boolean
  /** A text without a value is null instead of "". */
  readonly nullable?: boolean
  readonly value: (object: T, context: ColumnContext) => unknown
}

/** What a Table says of a whole row. */
export interface RowCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** What a cell may depend on beside its object. What it reads here decides how long the row stays right. */
export interface ColumnContext {
  /** The present time in milliseconds. A row that reads it is made anew every second: for ages there is `since`. */
  readonly now: number
  /** The time that has passed, as kubectl shows ages: "3d4h", or "<unknown>" without a time. */
  since(time: string | null | undefined): string
}

export interface TableDefinition<T> {
  /** Left out: name and creation time, as for any kind. */
  readonly columns?: readonly Column<T>[]
  readonly rowConditions?: (object: T) => readonly RowCondition[]
}
