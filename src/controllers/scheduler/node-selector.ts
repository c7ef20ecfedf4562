/** Node selectors and taints: which Nodes a Pod may be on. */
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  Taint,
  Toleration
} from '../../apimachinery/api/generated/core-v1.js'
import type { Labels } from '../../apimachinery/selectors/labels.js'
import { selectorOf as matcherOf } from '../../apimachinery/selectors/labels.js'

/** What selectors see of a Node. */
export interface Selectable {
  readonly name: string
  readonly labels: Labels
}
export type NodeMatcher = (node: Selectable) => boolean

const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!', Gt: '>', Lt: '<' } as const

function labelMatcher(expressions: readonly NodeSelectorRequirement[]): (labels: Labels) => boolean {
  const requirements = expressions.map(({ key, operator, values }) => ({
    key,
    operator: operators[operator as keyof typeof operators],
    values: values ?? []
  }))
  return matcherOf(requirements)!.matches
}

/** The only field is metadata.name, with one value. */
const fieldMatches = ({ operator, values }: NodeSelectorRequirement, { name }: Selectable): boolean =>
  (values?.[0] === name) === (operator === 'In')

export function termMatcher({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeMatcher {
  // a term without requirements matches nothing
  if (matchExpressions.length === 0 && matchFields.length === 0) return () => false
  const matches = matchExpressions.length > 0 ? labelMatcher(matchExpressions) : () => true
  return node => matches(node.labels) && matchFields.every(field => fieldMatches(field, node))
}

/** Whether one of the terms matches. */
export function nodeMatcher(selector: NodeSelector): NodeMatcher {
  const terms = (selector.nodeSelectorTerms ?? []).map(termMatcher)
  return node => terms.some(matches => matches(node))
}

const everyNode: NodeMatcher = () => true

/** What the Pod's nodeSelector and its required affinity ask for. */
export function requiredNodes({ spec }: Pod): NodeMatcher {
  const labels = Object.entries(spec.nodeSelector ?? {})
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  if (labels.length === 0 && !required) return everyNode
  const matches = required ? nodeMatcher(required) : everyNode
  return node => labels.every(([key, value]) => Object.hasOwn(node.labels, key) && node.labels[key] === value) && matches(node)
}

type Tolerable = Pick<Taint, 'key' | 'value' | 'effect'>

export function tolerates(toleration: Toleration, taint: Tolerable): boolean {
  const { effect, key, operator, value } = toleration
  if (effect && effect !== taint.effect) return false
  if (key && key !== taint.key) return false
  return operator === 'Exists' || ((operator || 'Equal') === 'Equal' && (value ?? '') === (taint.value ?? ''))
}

export const isTolerated = (tolerations: readonly Toleration[] | undefined, taint: Tolerable) =>
  (tolerations ?? []).some(toleration => tolerates(toleration, taint))

/** Whether a taint keeps the Pod from being scheduled to the Node, or a claim from having the device. */
export const isRepelled = (tolerations: readonly Toleration[] | undefined, taints: readonly Tolerable[] | undefined): boolean =>
  (taints ?? []).some(
    taint => (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !isTolerated(tolerations, taint)
  )
