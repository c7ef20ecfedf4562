/** Conditions in the status of workloads. */

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string | undefined
  readonly lastTransitionTime?: string | null | undefined
}

/** The conditions without those of a type; undefined when none is left. */
export function withoutCondition<C extends Condition>(conditions: readonly C[] | undefined, type: string): C[] | undefined {
  const left = conditions?.filter(condition => condition.type !== type)
  return left?.length ? left : undefined
}

/**
 * The conditions with this one in place of the one of its type, at the end. Nothing changes when that has the same status and reason; with
 * the same status, the time of its transition stays.
 */
export function withCondition<C extends Condition>(conditions: readonly C[] | undefined, condition: C): C[] {
  const current = conditions?.find(({ type }) => type === condition.type)
  if (current?.status === condition.status && current.reason === condition.reason) return [...conditions!]
  const since = current?.status === condition.status ? { lastTransitionTime: current.lastTransitionTime } : {}
  return [...(withoutCondition(conditions, condition.type) ?? []), { ...condition, ...since }]
}
