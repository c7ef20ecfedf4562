/** Finds an order of names that agrees with the order of each list. */

interface Node {
  /** The names that come after this one. */
  readonly after: Set<string>
  /** How many names come right before this one, and are not placed yet. */
  before: number
}

/**
 * Returns all names of the lists. Where the lists leave the order open, the lesser name comes first; where they contradict each other, all
 * names are sorted. A list that has every name once decides, as in kube-apiserver.
 */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const nodes = graphOf(lists)
  const whole = lists.find(list => list.length === nodes.size && new Set(list).size === nodes.size)
  if (whole) return whole
  const order: string[] = []
  const ready = [...nodes.keys()].filter(name => nodes.get(name)!.before === 0).sort(descending)
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    order.push(name)
    for (const next of nodes.get(name)!.after) if (--nodes.get(next)!.before === 0) insert(ready, next)
  }
  return order.length === nodes.size ? order : [...nodes.keys()].sort()
}

function graphOf(lists: readonly (readonly string[])[]): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const nodeOf = (name: string): Node => {
    let node = nodes.get(name)
    if (!node) nodes.set(name, (node = { after: new Set(), before: 0 }))
    return node
  }
  for (const list of lists)
    for (const [i, name] of list.entries()) {
      const { after } = nodeOf(name)
      const next = list[i + 1]
      if (next === undefined || after.has(next)) continue
      after.add(next)
      nodeOf(next).before++
    }
  return nodes
}

const descending = (a: string, b: string) => (a < b ? 1 : -1)

/** Inserts a name into a descending list. */
function insert(names: string[], name: string): void {
  let from = 0
  let to = names.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (names[middle]! > name) from = middle + 1
    else to = middle
  }
  names.splice(from, 0, name)
}
