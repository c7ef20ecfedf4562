/** A rule that a user holds, prepared for being compared many times. */
import type { PolicyRule } from '../../../apimachinery/api/generated/rbac-v1.js'
import { withoutStars } from './rules.js'

export type Dimension = 'group' | 'resource' | 'verb' | 'name' | 'url'

export class OwnedRule {
  readonly #values: Record<Dimension, ReadonlySet<string>>
  /** What the paths begin with that patterns with a star cover. */
  readonly #urlPrefixes: readonly string[]

  constructor({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule) {
    this.#values = {
      group: new Set(apiGroups),
      resource: new Set(resources),
      verb: new Set(verbs),
      name: new Set(resourceNames),
      url: new Set(nonResourceURLs)
    }
    this.#urlPrefixes = (nonResourceURLs ?? []).filter(url => url.endsWith('*')).map(withoutStars)
  }

  /** Returns how many comparisons a call of `covers` makes. */
  effort(dimension: Dimension): number {
    return dimension === 'url' ? 1 + this.#urlPrefixes.length : 1
  }

  /** Whether the rule covers the value. The name undefined stands for all names. */
  covers(dimension: Dimension, value: string | undefined): boolean {
    const own = this.#values[dimension]
    if (dimension === 'name') return own.size === 0 || (value !== undefined && own.has(value))
    if (own.has(value!)) return true
    if (dimension === 'url') return this.#urlPrefixes.some(prefix => value!.startsWith(prefix))
    if (own.has('*')) return true
    if (dimension !== 'resource') return false
    const slash = value!.indexOf('/')
    return slash >= 0 && own.has(`*${value!.slice(slash)}`)
  }
}

const ready = new WeakMap<PolicyRule, OwnedRule>()

/** Returns the same OwnedRule for the same rule, because the same roles are compared again and again. */
export function ownedRule(rule: PolicyRule): OwnedRule {
  let owned = ready.get(rule)
  if (!owned) ready.set(rule, (owned = new OwnedRule(rule)))
  return owned
}
