/** Diffs texts exactly as Python's difflib and its Go port do, because errors show the output. */

const popularFrom = 200

interface Block {
  readonly a: number
  readonly b: number
  readonly size: number
}

interface Change {
  readonly same: boolean
  readonly a: readonly [number, number]
  readonly b: readonly [number, number]
}

/** Returns "" for equal texts; otherwise hunks with `context` lines around each change. Each line includes its line end. */
export function unifiedDiff(a: readonly string[], b: readonly string[], context = 3): string {
  return hunks(changes(a, b), context)
    .map(hunk => {
      const [first, last] = [hunk[0]!, hunk.at(-1)!]
      const head = `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@\n`
      const body = hunk.map(change =>
        change.same ? marked(' ', a.slice(...change.a)) : marked('-', a.slice(...change.a)) + marked('+', b.slice(...change.b))
      )
      return head + body.join('')
    })
    .join('')
}

const marked = (mark: string, lines: readonly string[]) => lines.map(line => `${mark}${line}\n`).join('')

function range(start: number, end: number): string {
  const length = end - start
  if (length === 1) return String(start + 1)
  return `${length === 0 ? start : start + 1},${length}`
}

/** Returns the operations that turn a into b, in order, including the unchanged stretches. */
function changes(a: readonly string[], b: readonly string[]): Change[] {
  const places = placesOf(b)
  const blocks: Block[] = []
  const find = (aFrom: number, aTo: number, bFrom: number, bTo: number) => {
    const block = longest(a, b, places, [aFrom, aTo], [bFrom, bTo])
    if (block.size === 0) return
    if (aFrom < block.a && bFrom < block.b) find(aFrom, block.a, bFrom, block.b)
    blocks.push(block)
    const [aNext, bNext] = [block.a + block.size, block.b + block.size]
    if (aNext < aTo && bNext < bTo) find(aNext, aTo, bNext, bTo)
  }
  find(0, a.length, 0, b.length)
  const out: Change[] = []
  let [i, j] = [0, 0]
  for (const block of [...blocks, { a: a.length, b: b.length, size: 0 }]) {
    if (i < block.a || j < block.b) out.push({ same: false, a: [i, block.a], b: [j, block.b] })
    ;[i, j] = [block.a + block.size, block.b + block.size]
    const last = out.at(-1)
    // merges adjacent blocks
    if (block.size > 0 && last?.same && last.a[1] === block.a && last.b[1] === block.b)
      out[out.length - 1] = { same: true, a: [last.a[0], i], b: [last.b[0], j] }
    else if (block.size > 0) out.push({ same: true, a: [block.a, i], b: [block.b, j] })
  }
  return out
}

/** Maps each line to its positions. In a long text, popular lines are left out, because a match must not begin with them. */
function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  b.forEach((line, j) => {
    const known = places.get(line)
    if (known) known.push(j)
    else places.set(line, [j])
  })
  const most = Math.floor(b.length / 100) + 1
  if (b.length >= popularFrom) for (const [line, all] of places) if (all.length > most) places.delete(line)
  return places
}

/** Returns the longest common stretch, the first of several. Popular lines can only extend it. */
function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aFrom, aTo]: readonly [number, number],
  [bFrom, bTo]: readonly [number, number]
): Block {
  let best: Block = { a: aFrom, b: bFrom, size: 0 }
  let ending = new Map<number, number>()
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>()
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bFrom || j >= bTo) continue
      const size = (ending.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size }
    }
    ending = next
  }
  let { a: i, b: j, size } = best
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1]
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size++
  return { a: i, b: j, size }
}

/** Groups changes that are close to each other, with their context. */
function hunks(all: readonly Change[], context: number): Change[][] {
  const out: Change[][] = []
  let hunk: Change[] = []
  const tail = ({ a, b }: Change): Change => ({
    same: true,
    a: [Math.max(a[0], a[1] - context), a[1]],
    b: [Math.max(b[0], b[1] - context), b[1]]
  })
  const head = ({ a, b }: Change): Change => ({
    same: true,
    a: [a[0], Math.min(a[1], a[0] + context)],
    b: [b[0], Math.min(b[1], b[0] + context)]
  })
  all.forEach((change, i) => {
    if (!change.same) hunk.push(change)
    else if (i === 0) hunk.push(tail(change))
    else if (i === all.length - 1) hunk.push(head(change))
    else if (change.a[1] - change.a[0] <= 2 * context) hunk.push(change)
    else {
      out.push([...hunk, head(change)])
      hunk = [tail(change)]
    }
  })
  if (hunk.some(change => !change.same)) out.push(hunk)
  return out
}
