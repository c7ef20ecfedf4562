/**
 * What an autoscaler remembers of its recommendations and changes, and how that limits the next change:
 * https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#configurable-scaling-behavior
 */
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '../../apimachinery/api/generated/autoscaling-v2.js'

interface Timed {
  readonly count: number
  readonly time: number
}

export interface Wanted {
  readonly current: number
  /** What the metrics ask for. */
  readonly desired: number
  readonly min: number
  readonly max: number
}

interface Verdict {
  readonly reason: string
  readonly message: string
}

export interface Decision {
  readonly replicas: number
  readonly ableToScale: Verdict
  readonly scalingLimited: Verdict & { readonly isLimited: boolean }
}

/** How long a lower recommendation waits, where the behavior does not say. */
const usualDownSeconds = 300

const readyForNewScale: Verdict = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' }
const downStabilized: Verdict = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation'
}
const upStabilized: Verdict = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation'
}
const withinRange: Verdict = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' }
const limits = {
  up: { reason: 'ScaleUpLimit', message: 'the desired replica count is increasing faster than the maximum scale rate' },
  down: { reason: 'ScaleDownLimit', message: 'the desired replica count is decreasing faster than the maximum scale rate' },
  max: { reason: 'TooManyReplicas', message: 'the desired replica count is more than the maximum replica count' },
  min: { reason: 'TooFewReplicas', message: 'the desired replica count is less than the minimum replica count' }
} as const

export class ScaleHistory {
  #recommendations: Timed[] = []
  #ups: Timed[] = []
  #downs: Timed[] = []

  /** The first recommendation of an autoscaler is what there is. */
  begin(current: number, now: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ count: current, time: now })
  }

  /** Remembers a change, as far as the policies of the behavior look at it. */
  changed(behavior: HorizontalPodAutoscalerBehavior | undefined, from: number, to: number, now: number): void {
    if (!behavior) return
    const longest = (rules: HPAScalingRules | undefined) =>
      Math.max(0, ...(rules?.policies ?? []).map(one => one.periodSeconds)) * 1000
    const recent = (events: Timed[], rules: HPAScalingRules | undefined) =>
      events.filter(({ time }) => time >= now - longest(rules))
    if (to > from) this.#ups = [...recent(this.#ups, behavior.scaleUp), { count: to - from, time: now }]
    else this.#downs = [...recent(this.#downs, behavior.scaleDown), { count: from - to, time: now }]
  }

  decide(wanted: Wanted, behavior: HorizontalPodAutoscalerBehavior | undefined, now: number): Decision {
    const stable = behavior ? this.#stabilizedBy(behavior, wanted, now) : this.#stabilized(wanted, now)
    const whyStable = behavior && wanted.desired >= wanted.current ? upStabilized : downStabilized
    const ableToScale = stable === wanted.desired ? readyForNewScale : whyStable
    const { replicas, ...verdict } = behavior
      ? this.#limitedBy(behavior, { ...wanted, desired: stable }, now)
      : limited({ ...wanted, desired: stable })
    return { replicas, ableToScale, scalingLimited: { ...verdict, isLimited: replicas !== stable } }
  }

  #stabilized({ desired }: Wanted, now: number): number {
    const cutoff = now - usualDownSeconds * 1000
    const recent = this.#recommendations.filter(({ time }) => time >= cutoff)
    this.#recommendations = [...recent, { count: desired, time: now }]
    return Math.max(desired, ...recent.map(({ count }) => count))
  }

  #stabilizedBy({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior, { current, desired }: Wanted, now: number): number {
    const upCutoff = now - (scaleUp?.stabilizationWindowSeconds ?? 0) * 1000
    const downCutoff = now - (scaleDown?.stabilizationWindowSeconds ?? usualDownSeconds) * 1000
    const since = (cutoff: number) => this.#recommendations.filter(({ time }) => time > cutoff).map(({ count }) => count)
    const up = Math.min(desired, ...since(upCutoff))
    const down = Math.max(desired, ...since(downCutoff))
    const kept = this.#recommendations.filter(({ time }) => time >= Math.min(upCutoff, downCutoff))
    this.#recommendations = [...kept, { count: desired, time: now }]
    return Math.min(Math.max(current, up), down)
  }

  #limitedBy(
    { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
    wanted: Wanted,
    now: number
  ): Verdict & { replicas: number } {
    const { current, desired, min, max } = wanted
    if (desired > current) {
      const limit = Math.max(current, this.#limit(scaleUp, current, 'up', now))
      const most = Math.min(max, limit)
      if (desired > most) return { replicas: most, ...(max > limit ? limits.up : limits.max) }
    } else if (desired < current) {
      const limit = Math.min(current, this.#limit(scaleDown, current, 'down', now))
      const least = Math.max(min, limit)
      if (desired < least) return { replicas: least, ...(min < limit ? limits.down : limits.min) }
    }
    return { replicas: desired, ...withinRange }
  }

  /** The size to which the policies let the target change. */
  #limit(rules: HPAScalingRules | undefined, current: number, direction: 'up' | 'down', now: number): number {
    if (rules?.selectPolicy === 'Disabled') return current
    const within = (events: readonly Timed[], seconds: number) =>
      events.filter(({ time }) => time > now - seconds * 1000).reduce((sum, { count }) => sum + count, 0)
    const proposed = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
      const before = current - within(this.#ups, periodSeconds) + within(this.#downs, periodSeconds)
      if (direction === 'up') return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100))
      return type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100))
    })
    const largest = direction === 'up' ? rules?.selectPolicy !== 'Min' : rules?.selectPolicy === 'Min'
    return largest ? Math.max(...proposed) : Math.min(...proposed)
  }
}

/** Without a behavior: no more than twice as many, or four. */
function limited({ current, desired, min, max }: Wanted): Verdict & { replicas: number } {
  const limit = Math.max(2 * current, 4)
  if (desired < min) return { replicas: min, ...limits.min }
  if (desired > Math.min(max, limit)) return { replicas: Math.min(max, limit), ...(max > limit ? limits.up : limits.max) }
  return { replicas: desired, ...withinRange }
}
