/**
 * Finds the permissions that rules grant beyond those of other rules.
 *
 * A rule is a product: its groups times its resources, verbs and names. A few kilobytes stand for billions of permissions, so the
 * permissions are never listed (see rule-product.ts), and the result is bounded.
 */
import type { PolicyRule } from '../../../apimachinery/api/generated/rbac-v1.js'
import { compareUtf8, goQuote } from '../../../util/go-format.js'
import { type Dimension, type OwnedRule, ownedRule } from './owned-rule.js'
import { GivenUp, Product } from './rule-product.js'

export interface Uncovered {
  /** Rules with one verb on one resource of one group, for one name or for all names; or with one verb on one path. */
  readonly rules: PolicyRule[]
  /** Whether `rules` may lack permissions, because the comparison was ended early. */
  readonly incomplete: boolean
}

/** The limits of a comparison are far above what real roles need: the largest role of a cluster has some thousand permissions. */
const limits = { permissions: 10_000, characters: 1 << 20, comparisons: 1_000_000 }

/**
 * Finds the permissions of `rules` that no rule of `owned` covers: those that a role would grant beyond what its author holds.
 */
export function uncovered(owned: readonly PolicyRule[], rules: readonly PolicyRule[]): Uncovered {
  const comparison = new Comparison(owned.map(ownedRule))
  for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of rules) {
    comparison.compare([
      ['group', apiGroups],
      ['resource', resources],
      ['verb', verbs],
      ['name', resourceNames?.length ? resourceNames : forAllNames]
    ])
    comparison.compare([
      ['url', nonResourceURLs],
      ['verb', verbs]
    ])
    if (comparison.incomplete) break
  }
  return { rules: comparison.found, incomplete: comparison.incomplete }
}

const forAllNames = [undefined]

type Permission = Partial<Record<Dimension, string | undefined>>

class Comparison {
  readonly found: PolicyRule[] = []
  incomplete = false
  readonly #owned: readonly OwnedRule[]
  #characters = 0
  readonly #budget = { comparisons: limits.comparisons }

  constructor(owned: readonly OwnedRule[]) {
    this.#owned = owned
  }

  /** Adds the permissions of a product that are not covered. */
  compare(dimensions: readonly (readonly [Dimension, readonly (string | undefined)[] | null | undefined])[]): void {
    if (this.incomplete || !dimensions.every(([, values]) => values?.length)) return
    const product = new Product(
      dimensions.map(([dimension, values]) => ({ dimension, values: values! })),
      this.#owned,
      this.#budget
    )
    try {
      for (const permission of product.uncovered()) if (!this.#add(permission)) return
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error
      this.incomplete = true
    }
  }

  #add({ verb, group, resource, name, url }: Permission): boolean {
    this.#characters += [verb, group, resource, name, url].reduce((sum, text) => sum + (text?.length ?? 0), 0)
    this.incomplete = this.found.length === limits.permissions || this.#characters > limits.characters
    if (this.incomplete) return false
    this.found.push(
      url !== undefined
        ? { verbs: [verb!], nonResourceURLs: [url] }
        : {
            verbs: [verb!],
            apiGroups: [group!],
            resources: [resource!],
            ...(name === undefined ? {} : { resourceNames: [name] })
          }
    )
    return true
  }
}

/** Describes rules as kube-apiserver does: a line for each resource and name, with all verbs, and one for each path, sorted. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const byResource = new Map<string, PolicyRule & { verbs: string[] }>()
  const lines = new Set<string>()
  for (const rule of rules) {
    if (rule.nonResourceURLs) {
      lines.add(describe(rule))
      continue
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames])
    const present = byResource.get(key)
    if (present) for (const verb of rule.verbs!) present.verbs.push(verb)
    else byResource.set(key, { ...rule, verbs: [...rule.verbs!] })
  }
  for (const rule of byResource.values()) lines.add(describe(rule))
  return [...lines].sort(compareUtf8).join('\n')
}

function describe({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs
  })
  return `{${parts.flatMap(([name, values]) => (values?.length ? `${name}:${quoted(values)}` : [])).join(', ')}}`
}

/** Formats a list as Go's %q does. */
export const quoted = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`
