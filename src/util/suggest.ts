/** Returns the candidate that differs from `word` in the fewest letters, if it is close enough to be a likely correction. */
export const suggest = (word: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 4)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = editDistance(word, candidate)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** The number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment distance). */
export const editDistance = (a: string, b: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : Infinity
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length]!
}
