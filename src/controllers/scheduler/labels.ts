/** Labels and selectors, as plugins ask of them. */
import { type LabelMatcher, type LabelSelector, type Labels, labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'

const none: Labels = {}
export const labelsOf = ({ metadata }: { readonly metadata: { readonly labels?: Labels | undefined } }): Labels =>
  metadata.labels ?? none

/** Returns the value of a label, if it is there. */
export const labelOf = (labels: Labels, key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined)

/** A selector, and whether it has no requirements and so selects everything. */
export interface Selector {
  readonly matches: LabelMatcher
  readonly isEmpty: boolean
}

/** A missing selector selects nothing. */
export const selectorOf = (selector: LabelSelector | undefined): Selector => ({
  matches: labelSelectorMatcher(selector),
  isEmpty:
    selector !== undefined &&
    Object.keys(selector.matchLabels ?? {}).length === 0 &&
    (selector.matchExpressions ?? []).length === 0
})
