/**
 * The permissions of one rule as a product of lists. Values that the same owned rules cover are equivalent, so the search
 * compares the few sets of owned rules that cover a value, instead of combining the values of one list with those of all others.
 */
import type { Dimension, OwnedRule } from './owned-rule.js'

export interface Factor {
  readonly dimension: Dimension
  readonly values: readonly (string | undefined)[]
}

/** The comparison has used up its budget. */
export class GivenUp extends Error {}

/** A set of owned rules, all of which cover the values that have been chosen so far: their indexes, in order. */
class Cover {
  readonly rules: readonly number[]
  /**
   * For each factor, whether the rules cover the product of this factor and all later ones, and the values for which they do not.
   */
  readonly covered: boolean[] = []
  readonly open: Open[][] = []

  constructor(rules: readonly number[]) {
    this.rules = rules
  }
}

interface Open {
  readonly value: string | undefined
  readonly cover: Cover
}

export class Product {
  readonly #factors: readonly Factor[]
  readonly #owned: readonly OwnedRule[]
  readonly #budget: { comparisons: number }
  /** For each factor and owned rule, whether the rule covers all values from this factor on. */
  readonly #whole: boolean[][] = []
  /** For each factor and value, the owned rules that cover the value. */
  readonly #covers: Map<string | undefined, Cover>[] = []
  readonly #known = new Map<string, Cover>()

  constructor(factors: readonly Factor[], owned: readonly OwnedRule[], budget: { comparisons: number }) {
    this.#factors = factors
    this.#owned = owned
    this.#budget = budget
  }

  /** Yields the permissions that no owned rule covers, in the order of the lists. */
  *uncovered(): Generator<Partial<Record<Dimension, string | undefined>>> {
    const all = this.#cover(this.#owned.map((_, i) => i))
    for (let i = this.#factors.length; i >= 0; i--)
      this.#whole[i] = this.#owned.map(
        (rule, k) => i === this.#factors.length || (this.#whole[i + 1]![k]! && this.#coversAll(rule, i))
      )
    if (this.#whole[0]!.includes(true)) return
    for (const factor of this.#factors) this.#covers.push(this.#coversOf(factor))
    yield* this.#expand(all, 0)
  }

  #spend(comparisons: number): void {
    this.#budget.comparisons -= comparisons
    if (this.#budget.comparisons < 0) throw new GivenUp()
  }

  #coversAll(rule: OwnedRule, factor: number): boolean {
    const { dimension, values } = this.#factors[factor]!
    return values.every(value => {
      this.#spend(rule.effort(dimension))
      return rule.covers(dimension, value)
    })
  }

  #coversOf({ dimension, values }: Factor): Map<string | undefined, Cover> {
    const covers = new Map<string | undefined, Cover>()
    for (const value of new Set(values)) {
      const rules: number[] = []
      for (const [i, rule] of this.#owned.entries()) {
        this.#spend(rule.effort(dimension))
        if (rule.covers(dimension, value)) rules.push(i)
      }
      covers.set(value, this.#cover(rules))
    }
    return covers
  }

  #cover(rules: readonly number[]): Cover {
    const key = rules.join(' ')
    let cover = this.#known.get(key)
    if (!cover) this.#known.set(key, (cover = new Cover(rules)))
    return cover
  }

  #isCovered(cover: Cover, factor: number): boolean {
    return (cover.covered[factor] ??= this.#findsCovered(cover, factor))
  }

  #findsCovered(cover: Cover, factor: number): boolean {
    this.#spend(cover.rules.length)
    const whole = this.#whole[factor]!
    if (cover.rules.some(rule => whole[rule])) return true
    if (cover.rules.length === 0) return false
    return this.#open(cover, factor).length === 0
  }

  /** Returns the values of a factor for which some permission is not covered. */
  #open(cover: Cover, factor: number): Open[] {
    return (cover.open[factor] ??= this.#findOpen(cover, factor))
  }

  #findOpen(cover: Cover, factor: number): Open[] {
    const { values } = this.#factors[factor]!
    const both = new Map<Cover, Cover>()
    const open: Open[] = []
    this.#spend(values.length)
    for (const value of values) {
      const other = this.#covers[factor]!.get(value)!
      let next = both.get(other)
      if (!next) both.set(other, (next = this.#intersect(cover, other)))
      if (!this.#isCovered(next, factor + 1)) open.push({ value, cover: next })
    }
    return open
  }

  #intersect(a: Cover, b: Cover): Cover {
    this.#spend(a.rules.length + b.rules.length)
    const rules = new Set(b.rules)
    return this.#cover(a.rules.filter(rule => rules.has(rule)))
  }

  *#expand(cover: Cover, factor: number): Generator<Partial<Record<Dimension, string | undefined>>> {
    if (factor === this.#factors.length) {
      yield {}
      return
    }
    const { dimension } = this.#factors[factor]!
    for (const { value, cover: next } of this.#open(cover, factor))
      for (const rest of this.#expand(next, factor + 1)) yield { [dimension]: value, ...rest }
  }
}
