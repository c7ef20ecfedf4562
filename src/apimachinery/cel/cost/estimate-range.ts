/** Ranges of sizes and costs. They saturate at the largest unsigned 64-bit integer. */

export interface Range {
  readonly min: number
  readonly max: number
}

export const unlimited = 2 ** 64

export const unknownSize: Range = { min: 0, max: unlimited }

export const fixed = (n: number): Range => ({ min: n, max: n })

const saturate = (n: number) => Math.min(n, unlimited)

export function add(...ranges: readonly Range[]): Range {
  let min = 0
  let max = 0
  for (const r of ranges) {
    min = saturate(min + r.min)
    max = saturate(max + r.max)
  }
  return { min, max }
}

export const multiply = (a: Range, b: Range): Range => ({ min: saturate(a.min * b.min), max: saturate(a.max * b.max) })

/** Scales a range, rounding up. */
export const scale = (a: Range, factor: number): Range => ({
  min: saturate(Math.ceil(a.min * factor)),
  max: saturate(Math.ceil(a.max * factor))
})

export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) })
