/** Label selectors (https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#api). */
import { compareText, compareUtf8, sortTexts } from '../../util/go-format.js'
import { isInteger, type Operator, parseRequirements, type Requirement, toInteger } from './label-parser.js'
import { SelectorError } from './limits.js'

export type Labels = Readonly<Record<string, string>>
export type LabelMatcher = (labels: Labels) => boolean

/** The values of one key. A single one has no Set, because there may be thousands of keys in each of thousands of watches. */
type Values = string | Set<string>

const valuesOf = (values: readonly string[]): Values => (values.length === 1 ? values[0]! : new Set(values))
const has = (values: Values, value: string): boolean => (typeof values === 'string' ? values === value : values.has(value))

/** Adds to the values. */
function withValues(before: Values | undefined, more: readonly string[]): Values {
  if (before === undefined) return valuesOf(more)
  const all = typeof before === 'string' ? new Set([before]) : before
  for (const value of more) all.add(value)
  return all
}

/** What all requirements together demand of one key. */
class KeyRule {
  /** Whether the label must be there. */
  isRequired = false
  #isForbidden = false
  #among: Values | undefined
  #except: Values | undefined
  #bounds: { above?: bigint; below?: bigint } | undefined

  add({ operator, values }: Requirement): void {
    if (operator === '!') this.#isForbidden = true
    else if (operator === '!=' || operator === 'notin') {
      this.#except = withValues(this.#except, values)
    } else {
      this.isRequired = true
      if (operator !== 'exists') this.#restrict(operator, values)
    }
  }

  #restrict(operator: Operator, values: readonly string[]): void {
    if (operator !== '>' && operator !== '<') {
      const among = this.#among
      this.#among = valuesOf(among === undefined ? values : values.filter(value => has(among, value)))
      return
    }
    const bound = toInteger(values[0]!)
    const bounds = (this.#bounds ??= {})
    if (operator === '>' && (bounds.above === undefined || bound > bounds.above)) bounds.above = bound
    if (operator === '<' && (bounds.below === undefined || bound < bounds.below)) bounds.below = bound
  }

  accepts(value: string): boolean {
    if (this.#isForbidden || (this.#among !== undefined && !has(this.#among, value))) return false
    if (this.#except !== undefined && has(this.#except, value)) return false
    if (!this.#bounds) return true
    if (!isInteger(value)) return false
    const { above, below } = this.#bounds
    const number = toInteger(value)
    return !(above !== undefined && number <= above) && !(below !== undefined && number >= below)
  }
}

/** Returns a matcher whose work depends on the labels of an object, not on the number of requirements: there may be 50,000. */
function matcherOf(requirements: readonly Requirement[]): LabelMatcher {
  const rules = new Map<string, KeyRule>()
  for (const requirement of requirements) {
    let rule = rules.get(requirement.key)
    if (!rule) rules.set(requirement.key, (rule = new KeyRule()))
    rule.add(requirement)
  }
  if (rules.size === 1) {
    const [[key, rule]] = rules as unknown as [[string, KeyRule]]
    return labels => (Object.hasOwn(labels, key) ? rule.accepts(labels[key]!) : !rule.isRequired)
  }
  let required = 0
  for (const { isRequired } of rules.values()) if (isRequired) required++
  return labels => {
    let found = 0
    for (const key of Object.keys(labels)) {
      const rule = rules.get(key)
      if (!rule) continue
      if (!rule.accepts(labels[key]!)) return false
      if (rule.isRequired) found++
    }
    return found === required
  }
}

export interface ParsedSelector {
  readonly matches: LabelMatcher
  /** A label value that every matching object has, so that an index can look it up. */
  readonly equals: { readonly key: string; readonly value: string } | undefined
}

/** Parses a label selector; undefined when it selects everything. Throws SelectorError. */
export const parseLabelSelector = (text: string): ParsedSelector | undefined => selectorOf(parseRequirements(text))

/** Makes a selector of parsed requirements; undefined when they select everything. */
export function selectorOf(requirements: readonly Requirement[]): ParsedSelector | undefined {
  if (requirements.length === 0) return undefined
  const exact = requirements.find(
    r => r.values.length === 1 && (r.operator === '=' || r.operator === '==' || r.operator === 'in')
  )
  return {
    matches: matcherOf(requirements),
    equals: exact && { key: exact.key, value: exact.values[0]! }
  }
}

/**
 * One requirement of a label selector, as authorizers see it.
 *
 * @example
 * // --selector=tier=web
 * const requirement: LabelRequirement = { key: 'tier', operator: 'In', values: ['web'] }
 */
export interface LabelRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values: readonly string[]
}

const requirementOperators: Partial<Record<Operator, LabelRequirement['operator']>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist'
}

/** Returns the requirements of a label selector by key, or undefined when it cannot be parsed. Bounds (`>`, `<`) are left out. */
export function readableLabelSelector(text: string): readonly LabelRequirement[] | undefined {
  try {
    return shownRequirements(parseRequirements(text))
  } catch (error) {
    if (error instanceof SelectorError) return undefined
    throw error
  }
}

/** The parsed requirements by key, as authorizers see them. Bounds are left out. */
export const shownRequirements = (requirements: readonly Requirement[]): readonly LabelRequirement[] =>
  requirements
    .toSorted((a, b) => compareUtf8(a.key, b.key))
    .flatMap(({ key, operator: found, values }) => {
      const operator = requirementOperators[found]
      return operator === undefined ? [] : [{ key, operator, values: values.toSorted(compareUtf8) }]
    })

export interface LabelSelector {
  readonly matchLabels?: Labels | undefined
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined | null }[]
    | undefined
}

const expressionOperators: Record<string, Operator> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' }

/** Returns a matcher for a LabelSelector object. An empty selector matches everything, a missing one nothing. */
export function labelSelectorMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (!selector) return () => false
  return matcherOf([
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...(selector.matchExpressions ?? []).map(e => ({
      key: e.key,
      operator: expressionOperators[e.operator] ?? 'in',
      values: e.values ?? []
    }))
  ])
}

/** Formats a LabelSelector object as text, as `kubectl get -o wide` shows it. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  if (!selector) return '<none>'
  const parts = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` }))
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const list = sortTexts([...(values ?? [])]).join(',')
    parts.push({
      key,
      text:
        operator === 'In'
          ? `${key} in (${list})`
          : operator === 'NotIn'
            ? `${key} notin (${list})`
            : operator === 'Exists'
              ? key
              : `!${key}`
    })
  }
  parts.sort((a, b) => compareText(a.key, b.key))
  return parts.length === 0 ? '<none>' : parts.map(p => p.text).join(',')
}
