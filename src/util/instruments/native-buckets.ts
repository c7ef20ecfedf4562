/**
 * The buckets of a native histogram (Prometheus' documentation, "Native Histograms"). Their limits are powers of 2^(2^-schema), and
 * only those exist that have observations, so that a histogram is exact where its values are. What they hold is as
 * component-base configures it: a bucket at most 1.1 times as wide as the one before, and at most 160 of them.
 */

/** The first schema: eight buckets from a number to its double. */
const finest = 3
const perDoubling = 2 ** finest
const mostBuckets = 160
/** What is not above counts as zero; Prometheus' default. */
export const zeroThreshold = 2 ** -128

/** The upper limits of the buckets up to 0.5·2^(i/8), to the last digit as Prometheus' libraries have them. */
const limits = Float64Array.of(
  0.5,
  0.5452538663326288,
  0.5946035575013605,
  0.6484197773255048,
  0.7071067811865475,
  0.7711054127039704,
  0.8408964152537144,
  0.9170040432046711
)

const asDouble = new Float64Array(1)
const asWords = new Uint32Array(asDouble.buffer)
/** Where the word with sign and exponent lies. */
const high = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0

/** Returns the bucket of a positive number in the finest schema: the first one whose upper limit is not below it. */
function finestBucket(value: number): number {
  // infinity is one bucket above the largest number
  if (value === Number.POSITIVE_INFINITY) return finestBucket(Number.MAX_VALUE) + 1
  asDouble[0] = value
  const word = asWords[high]!
  const exponent = ((word >>> 20) & 0x7ff) - 1022
  // the number by its power of two: from 0.5 to below 1
  asWords[high] = (word & 0xfffff) | (1022 << 20)
  const fraction = asDouble[0]
  let i = 0
  while (i < perDoubling && limits[i]! < fraction) i++
  return (exponent - 1) * perDoubling + i
}

/** A bucket after each pair of buckets has become one, which has the limit of the upper one. */
const halved = (bucket: number): number => Math.ceil(bucket / 2)

export class NativeBuckets {
  /** Each bucket is 2^(2^-schema) times as wide as the one before. It falls when there are too many buckets. */
  schema = finest
  /** Observations up to `zeroThreshold`, negative ones included: what Kubernetes measures has none. */
  zero = 0
  /** Made with the first observation: of many series none comes. */
  #counts: Map<number, number> | undefined

  /** The observations by bucket, in no order. */
  get counts(): ReadonlyMap<number, number> {
    return this.#counts ?? none
  }

  observe(value: number): void {
    // no bucket holds what is no number
    if (Number.isNaN(value)) return
    if (value <= zeroThreshold) return void this.zero++
    const counts = (this.#counts ??= new Map())
    let bucket = finestBucket(value)
    for (let schema = finest; schema > this.schema; schema--) bucket = halved(bucket)
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    if (counts.size > mostBuckets) {
      this.#counts = joinedInPairs(counts)
      this.schema--
    }
  }

  reset(): void {
    this.schema = finest
    this.zero = 0
    this.#counts = undefined
  }
}

const none: ReadonlyMap<number, number> = new Map()

/** Returns the buckets of the next lower schema. */
export function joinedInPairs(counts: ReadonlyMap<number, number>): Map<number, number> {
  const joined = new Map<number, number>()
  for (const [bucket, count] of counts) {
    const upper = halved(bucket)
    joined.set(upper, (joined.get(upper) ?? 0) + count)
  }
  return joined
}
