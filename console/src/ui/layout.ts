/** Where a node of a graph stands: its column from the left and its row from the top, which may be between two rows. */
export interface Spot {
  readonly column: number
  readonly row: number
}

/**
 * Places the nodes of a graph without circles in columns, each right of all that lead to it. A node stands in the middle of those that it leads to
 * first; a node that several lead to stands below the first.
 */
export function layered(nodes: readonly string[], edges: readonly (readonly [string, string])[]): Map<string, Spot> {
  const targets = new Map<string, string[]>(nodes.map(node => [node, []]))
  const sources = new Map<string, number>(nodes.map(node => [node, 0]))
  for (const [from, to] of edges) {
    targets.get(from)?.push(to)
    sources.set(to, (sources.get(to) ?? 0) + 1)
  }
  const columns = columnsOf(nodes, targets, sources)
  const spots = new Map<string, Spot>()
  let nextRow = 0
  const place = (node: string): number => {
    const present = spots.get(node)
    if (present) return present.row
    // entered before its targets: a circle ends here
    spots.set(node, { column: columns.get(node) ?? 0, row: nextRow })
    const rows = (targets.get(node) ?? []).filter(target => !spots.has(target)).map(place)
    const row = rows.length > 0 ? (rows[0]! + rows.at(-1)!) / 2 : nextRow++
    spots.set(node, { column: columns.get(node) ?? 0, row })
    return row
  }
  for (const node of nodes) if (sources.get(node) === 0) place(node)
  for (const node of nodes) place(node)
  return spots
}

/** The length of the longest way to each node. Nodes of a circle stay in the first column. */
function columnsOf(
  nodes: readonly string[],
  targets: ReadonlyMap<string, readonly string[]>,
  sources: ReadonlyMap<string, number>
) {
  const waiting = new Map(sources)
  const columns = new Map<string, number>()
  const ready = nodes.filter(node => waiting.get(node) === 0)
  for (const node of ready) {
    const column = columns.get(node) ?? 0
    for (const target of targets.get(node) ?? []) {
      columns.set(target, Math.max(columns.get(target) ?? 0, column + 1))
      const left = (waiting.get(target) ?? 1) - 1
      waiting.set(target, left)
      if (left === 0) ready.push(target)
    }
  }
  return columns
}
