/** Divides seats among priority levels that may borrow from each other. */

export interface Claim {
  /** The least and the most that the claim can get, and how much it wants, which is not less than `least`. */
  readonly least: number
  readonly most: number
  readonly wanted: number
}

export interface Allocation {
  /** In the order of the claims. */
  readonly seats: readonly number[]
  /** The part of its wanted seats that each claim gets, where its bounds allow that. */
  readonly fairShare: number
}

/** The least that a claim can want, so that each gets a share. */
const leastWanted = 0.001
const tiny = 1e-7

/**
 * Gives every claim the same share of what it wants, except where that is less than its least or more than its most, so that all
 * together have `total`. Returns undefined where the bounds do not allow this.
 */
export function allocateFairly(total: number, claims: readonly Claim[]): Allocation | undefined {
  const wanted = claims.map(claim => Math.max(claim.wanted, leastWanted))
  const seatsAt = (share: number) => claims.map(({ least, most }, i) => Math.max(least, Math.min(most, share * wanted[i]!)))
  const [least, most] = [sum(claims.map(claim => claim.least)), sum(claims.map(claim => claim.most))]
  if (total < least - tiny || total > most + tiny) return undefined
  if (total === 0) return { seats: claims.map(() => 0), fairShare: 0 }
  const lows = claims.map((claim, i) => claim.least / wanted[i]!)
  const highs = claims.map((claim, i) => claim.most / wanted[i]!)
  if (total - least < tiny) return { seats: claims.map(claim => claim.least), fairShare: Math.min(...lows) }
  if (most - total < tiny) return { seats: claims.map(claim => claim.most), fairShare: Math.max(...highs) }
  // the sum grows with the share, linearly between the shares at which a claim reaches one of its bounds
  let low = 0
  for (const high of [...new Set([...lows, ...highs])].sort((a, b) => a - b)) {
    const [before, after] = [sum(seatsAt(low)), sum(seatsAt(high))]
    if (after >= total) {
      const fairShare = low + ((high - low) * (total - before)) / (after - before)
      return { seats: seatsAt(fairShare), fairShare }
    }
    low = high
  }
  return undefined
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
