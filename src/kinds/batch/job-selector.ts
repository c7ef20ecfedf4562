/** A Job selects its Pods by labels that the server generates, unless spec.manualSelector is set. */
import type { Job } from '../../apimachinery/api/generated/batch-v1.js'
import { labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isValidSelector, labelsText, selectorText } from '../pod-owner.js'

/** The label that every Job and its Pods get, unless the Job brings its own selector. */
export const uidLabel = 'batch.kubernetes.io/controller-uid'

const generatedLabels = ({ metadata: { name = '', uid = '' } }: Job): Record<string, string> => ({
  'controller-uid': uid,
  'job-name': name,
  [uidLabel]: uid,
  'batch.kubernetes.io/job-name': name
})

/** Keeps labels that the client has set: validation refuses them when they differ. */
export function generateSelector(job: Job): void {
  const { spec } = job
  if (spec.manualSelector) return
  const labels = (spec.template.metadata.labels ??= {})
  for (const [key, value] of Object.entries(generatedLabels(job))) if (!Object.hasOwn(labels, key)) labels[key] = value
  spec.selector ??= {}
  spec.selector.matchLabels = { [uidLabel]: job.metadata.uid ?? '', ...spec.selector.matchLabels }
}

/**
 * Validates a generated selector. A Job that was stored without a prefixed label, by a former release or with a selector of its
 * own, needs none.
 */
export function validateGeneratedSelector(job: Job, errors: FieldErrors): void {
  const { selector, manualSelector, template } = job.spec
  if (manualSelector || !selector) return
  const expected = generatedLabels(job)
  const { labels } = template.metadata
  const at = Path.of('spec', 'template', 'metadata', 'labels')
  for (const [key, value] of Object.entries(expected)) {
    const actual = labels && Object.hasOwn(labels, key) ? labels[key] : undefined
    if (actual === undefined) errors.required(at.key(key), `must be '${value}'`)
    else if (actual !== value) errors.invalid(at.key(key), labelsText(labels), `must be '${value}'`)
  }
  if (isValidSelector(selector) && !labelSelectorMatcher(selector)(expected))
    errors.invalid('spec.selector', selectorText(selector), '`selector` not auto-generated')
}
