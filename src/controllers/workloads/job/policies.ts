/** The policies by which a Job fails or succeeds before it has run out of tries, or of work. */
import type { Job, PodFailurePolicyRule } from '../../../apimachinery/api/generated/batch-v1.js'
import type { ContainerStatus, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { IndexSet } from './index-set.js'

/** What a failed Pod means to its Job. */
export interface FailureRule {
  /** The action of the first rule that matches. */
  readonly action: string | undefined
  /** Whether the failure counts towards the limits. */
  readonly counts: boolean
  /** Why the Job has failed with the Pod. */
  readonly message: string | undefined
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-failure-policy */
export function failureRule({ spec }: Job, pod: Pod): FailureRule {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const what = matchOf(rule, pod)
    if (what === undefined) continue
    const { action } = rule
    const message = action === 'FailJob' ? `${what} matching ${action} rule at index ${index}` : undefined
    return { action, counts: action !== 'Ignore', message }
  }
  return { action: undefined, counts: true, message: undefined }
}

/** What the rule matches, in words. */
function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, { metadata, status }: Pod): string | undefined {
  const name = `${metadata.namespace}/${metadata.name}`
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes
    const matches = ({ name: container, state: { terminated } }: ContainerStatus) => {
      if (!terminated || terminated.exitCode === 0 || (containerName ?? container) !== container) return false
      return !!values?.includes(terminated.exitCode) === (operator === 'In')
    }
    const found = status.containerStatuses?.find(matches) ?? status.initContainerStatuses?.find(matches)
    return found && `Container ${found.name} for pod ${name} failed with exit code ${found.state.terminated!.exitCode}`
  }
  const condition = status.conditions?.find(({ type, status: value }) =>
    onPodConditions?.some(pattern => pattern.type === type && pattern.status === value)
  )
  return condition && `Pod ${name} has condition ${condition.type}`
}

/** Which rule of the success policy holds, in words: https://kubernetes.io/docs/concepts/workloads/controllers/job/#success-policy */
export function successRule({ spec }: Job, succeeded: IndexSet): string | undefined {
  if (succeeded.size === 0) return undefined
  for (const [index, { succeededIndexes, succeededCount }] of (spec.successPolicy?.rules ?? []).entries()) {
    const required = succeededIndexes === undefined ? undefined : IndexSet.parse(succeededIndexes, spec.completions!)
    if (required?.size === 0) continue
    const count = required ? required.common(succeeded) : succeeded.size
    const isMet = count === required?.size || (succeededCount !== undefined && count >= succeededCount)
    if (isMet) return `Matched rules at index ${index}`
  }
  return undefined
}
