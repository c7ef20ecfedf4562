/** What a table keeps of an object. */
export interface Row {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly cells: readonly unknown[]
  readonly labels: Readonly<Record<string, string>> | undefined
  /** Milliseconds since 1970. */
  readonly created: number
  readonly deleting: boolean
}

export interface Order {
  /** The index of the column; undefined for namespace and name, the order of the server. */
  readonly column: number | 'age' | undefined
  readonly descending: boolean
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byName = (a: Row, b: Row): number =>
  compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name) || compareTexts(a.uid, b.uid)
/** Numbers in texts count as numbers: `2/3` is before `10/10`. */
const natural = new Intl.Collator('en', { numeric: true })

/** Returns a comparison that tells any two rows apart. */
export function orderOf({ column, descending }: Order): (a: Row, b: Row) => number {
  if (column === undefined) return descending ? (a, b) => byName(b, a) : byName
  const compare =
    column === 'age'
      ? (a: Row, b: Row) => b.created - a.created
      : (a: Row, b: Row) => compareCells(a.cells[column], b.cells[column])
  return descending ? (a, b) => compare(b, a) || byName(a, b) : (a, b) => compare(a, b) || byName(a, b)
}

function compareCells(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return natural.compare(textOf(a), textOf(b))
}

/** The text of a cell. */
export function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** Returns whether a row has all words of a text in its name, namespace, cells or labels. */
export function matcherOf(text: string): (row: Row) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return row => {
    const all = [row.namespace, row.name, ...row.cells.map(textOf)]
    for (const [key, value] of Object.entries(row.labels ?? {})) all.push(`${key}=${value}`)
    const haystack = all.join('\n').toLowerCase()
    return words.every(word => haystack.includes(word))
  }
}
