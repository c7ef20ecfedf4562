import { nextTurn, startSlice } from '../../util/turns.js'

/** How many items are sorted at once, which takes a few milliseconds. */
const runLength = 4096

/** Sorts a long list, and gives other work turns meanwhile. */
export async function sortInTurns<T>(items: T[], compare: (a: T, b: T) => number): Promise<T[]> {
  if (items.length <= runLength) return items.sort(compare)
  let runs: T[][] = []
  for (let i = 0; i < items.length; i += runLength) {
    runs.push(items.slice(i, i + runLength).sort(compare))
    await nextTurn()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2)
      merged.push(i + 1 < runs.length ? await merge(runs[i]!, runs[i + 1]!, compare) : runs[i]!)
    runs = merged
  }
  return runs[0]!
}

async function merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const all: T[] = []
  let sliceIsOver = startSlice()
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0)) all.push(a[i++]!)
    else all.push(b[j++]!)
    if (all.length % 1024 !== 0 || !sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
  return all
}
