/** Adjusts the seats that levels have at present to what they need: levels lend what they do not use. */
import { allocateFairly } from './fair-allocation.js'
import type { PriorityLevel } from './priority-level.js'

/**
 * Ends a period of all levels' demand and sets their limits for the next one. `serverSeats`: of the server's configuration. Returns
 * the part of its target that each level has, where its bounds allow that.
 */
export function adjustLimits(levels: readonly PriorityLevel[], serverSeats: number, now: number): number {
  let total = 0
  for (const level of levels) {
    level.demand.endPeriod(now)
    total += level.nominal
  }
  const limited = levels.filter(level => !level.isExempt)
  let left = total
  for (const level of levels) {
    if (!level.isExempt) continue
    level.target = Math.max(level.least, level.demand.highWatermark)
    left -= level.target
    level.limit(level.target, serverSeats)
  }
  const needed = limited.map(leastNow)
  for (const [i, level] of limited.entries()) level.target = Math.max(needed[i]!, level.demand.smoothed)
  const leastSum = sum(limited.map(level => level.least))
  const neededSum = sum(needed)
  if (left <= leastSum) {
    for (const level of limited) level.limit(level.least, serverSeats)
    return 0
  }
  if (left <= neededSum) {
    const part = (left - leastSum) / (neededSum - leastSum)
    for (const [i, level] of limited.entries())
      level.limit(level.least + Math.round((needed[i]! - level.least) * part), serverSeats)
    return 0
  }
  const allocation = allocateFairly(
    total,
    limited.map((level, i) => ({ least: needed[i]!, most: level.most, wanted: level.target }))
  )
  for (const [i, level] of limited.entries())
    level.limit(allocation ? Math.round(allocation.seats[i]!) : level.current, serverSeats)
  return allocation?.fairShare ?? 0
}

/** The seats that a level keeps at least: what it needs of its own. */
const leastNow = ({ least, nominal, demand }: PriorityLevel) => Math.max(least, Math.min(nominal, demand.highWatermark))

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
