/** Which Pods may not be preempted without violating a PodDisruptionBudget. */
import type { PodDisruptionBudget } from '../../apimachinery/api/generated/policy-v1.js'
import { selectorOf } from './labels.js'
import type { PodInfo } from './pod-info.js'

/** Parts the Pods, in their order, into those whose preemption would violate a budget and the others. */
export function partByBudgets(pods: readonly PodInfo[], budgets: readonly PodDisruptionBudget[]): [PodInfo[], PodInfo[]] {
  const all = budgets.map(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    selector: selectorOf(spec.selector),
    isCounted: (name: string) => Object.hasOwn(status.disruptedPods ?? {}, name),
    allowed: status.disruptionsAllowed
  }))
  const violating: PodInfo[] = []
  const others: PodInfo[] = []
  for (const info of pods) {
    const { labels, namespace } = info.shape
    let isViolating = false
    if (Object.keys(labels).length > 0)
      for (const budget of all) {
        const { selector } = budget
        if (budget.namespace !== namespace || selector.isEmpty || !selector.matches(labels)) continue
        if (budget.isCounted(info.pod.metadata.name!)) continue
        if (--budget.allowed < 0) {
          isViolating = true
          break
        }
      }
    if (isViolating) violating.push(info)
    else others.push(info)
  }
  return [violating, others]
}
