/** One look at an autoscaler: what its metrics ask for, what its target gets, and what is reported. */
import { isDeepStrictEqual } from 'node:util'
import type { Scale } from '../../apimachinery/api/generated/autoscaling-v1.js'
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  MetricStatus
} from '../../apimachinery/api/generated/autoscaling-v2.js'
import type { Namespace, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { type LabelMatcher, parseLabelSelector } from '../../apimachinery/selectors/labels.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Draft, KubeClient } from '../../client/stored-types.js'
import type { Clock } from '../../util/clock.js'
import { milliValue, parseQuantity } from '../../util/quantity.js'
import { timestamp } from '../../util/time.js'
import { messageOf } from '../workloads/pod-control.js'
import { evaluate, MetricFailure } from './evaluate.js'
import type { ScaleHistory } from './history.js'
import type { UsageOf } from './metrics.js'
import type { Tolerances } from './replica-count.js'

type Autoscaler = HorizontalPodAutoscaler & KubeObject

/** What is remembered of an autoscaler. */
export interface Memory {
  readonly history: ScaleHistory
  selects?: LabelMatcher
}

export interface ScalingNeeds {
  readonly client: KubeClient
  readonly clock: Clock
  readonly events: EventRecorder
  learn(autoscaler: Autoscaler): void
  podsIn(namespace: string): Pod[]
  readonly usageOf: UsageOf
  namespace(name: string): Namespace | undefined
  /** The autoscalers of a namespace, with what the selectors of their targets select. */
  selectorsIn(namespace: string): { readonly key: string; readonly selects: LabelMatcher }[]
}

/** What is wanted, and why. */
interface Wish {
  readonly replicas: number
  readonly metric: string
}

const usualTolerance = 0.1

export class Scaling {
  readonly #needs: ScalingNeeds
  readonly #autoscaler: Autoscaler
  readonly #memory: Memory
  readonly #now: number
  #conditions: HorizontalPodAutoscalerCondition[]
  #metrics: MetricStatus[] | null = null

  constructor(needs: ScalingNeeds, autoscaler: Autoscaler, memory: Memory) {
    this.#needs = needs
    this.#autoscaler = autoscaler
    this.#memory = memory
    this.#now = needs.clock.now()
    this.#conditions = autoscaler.status.conditions ?? []
  }

  async run(): Promise<void> {
    const { spec, status } = this.#autoscaler
    const scale = await this.#scale()
    if (!scale) return this.#report(status.currentReplicas, status.desiredReplicas)
    this.#set('AbleToScale', 'True', 'SucceededGetScale', "the HPA controller was able to get the target's current scale")
    const current = scale.spec.replicas ?? 0
    this.#memory.history.begin(current, this.#now)
    const { min, max } = { min: spec.minReplicas ?? 1, max: spec.maxReplicas }
    const wasScaledToZero = this.#conditions.some(({ type, status: is }) => type === 'ScaledToZero' && is === 'True')
    if (current === 0 && !(wasScaledToZero && (min !== 0 || this.#looksOutside))) {
      const message = 'scaling is disabled since the replica count of the target is zero'
      this.#set('ScalingActive', 'False', 'ScalingDisabled', message)
      return this.#report(current, current)
    }
    if (current > max) return this.#rescale(scale, max, 'Current number of replicas above Spec.MaxReplicas')
    if (current !== 0 && current < min) return this.#rescale(scale, min, 'Current number of replicas below Spec.MinReplicas')
    const wish = await this.#wish(scale)
    if (!wish) return this.#report(current, status.desiredReplicas)
    const { replicas, ableToScale, scalingLimited } = this.#memory.history.decide(
      { current, desired: wish.replicas, min, max },
      spec.behavior,
      this.#now
    )
    this.#set('AbleToScale', 'True', ableToScale.reason, ableToScale.message)
    this.#set('ScalingLimited', scalingLimited.isLimited ? 'True' : 'False', scalingLimited.reason, scalingLimited.message)
    const desired = current === 0 && min !== 0 ? Math.max(min, replicas) : replicas
    if (desired === current) return this.#report(current, current)
    const below = wish.replicas < current ? 'All metrics below target' : 'Current number of replicas below Spec.MinReplicas'
    return this.#rescale(scale, desired, wish.replicas > current ? `${wish.metric} above target` : below)
  }

  get #looksOutside(): boolean {
    return !!this.#autoscaler.spec.metrics?.some(({ type }) => type === 'Object' || type === 'External')
  }

  get #target() {
    const { scaleTargetRef } = this.#autoscaler.spec
    return this.#needs.client.of(scaleTargetRef.apiVersion ?? 'v1', scaleTargetRef.kind).subresource('scale')
  }

  get #targetName() {
    const { name } = this.#autoscaler.spec.scaleTargetRef
    return { metadata: { name, namespace: this.#autoscaler.metadata.namespace! } }
  }

  async #scale(): Promise<Scale | undefined> {
    try {
      return await this.#target.get(this.#targetName)
    } catch (error) {
      const { apiVersion = 'v1', kind } = this.#autoscaler.spec.scaleTargetRef
      const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
      // the client knows no such kind, and asks nobody
      const message = error instanceof StatusError ? error.message : `no matches for kind "${kind}" in group "${group}"`
      this.#needs.events.warning(this.#autoscaler, 'FailedGetScale', message)
      const text = `the HPA controller was unable to get the target's current scale: ${message}`
      this.#set('AbleToScale', 'False', 'FailedGetScale', text)
      return undefined
    }
  }

  /** Asks all metrics: the largest answer counts. Undefined when too few of them answer; then the conditions say why. */
  async #wish(scale: Scale): Promise<Wish | undefined> {
    const { autoscaler, events } = { autoscaler: this.#autoscaler, events: this.#needs.events }
    const { metrics: specs = [] } = autoscaler.spec
    const pods = this.#podsOf(scale)
    if (typeof pods === 'string') {
      events.warning(autoscaler, 'FailedComputeMetricsReplicas', pods)
      return undefined
    }
    const current = scale.spec.replicas ?? 0
    const namespaceName = autoscaler.metadata.namespace!
    const { client, namespace, usageOf } = this.#needs
    const around = { pods, current, reported: scale.status.replicas, tolerances: this.#tolerances, now: this.#now, usageOf }
    const failures: MetricFailure[] = []
    let wish: Wish | undefined
    this.#metrics = []
    for (const spec of specs) {
      try {
        const found = await evaluate(spec, { ...around, client, namespaceName, namespace: namespace(namespaceName) })
        this.#metrics.push(found.status)
        if (!wish || found.replicas > wish.replicas) wish = { replicas: found.replicas, metric: found.name }
      } catch (error) {
        if (!(error instanceof MetricFailure)) throw error
        this.#metrics.push({ type: '' })
        events.warning(autoscaler, error.reason, error.detail)
        failures.push(error)
      }
    }
    const [failure] = failures
    // what is not known may ask for more: only less is not done
    if (failure && (!wish || wish.replicas < current)) {
      this.#set('ScalingActive', 'False', failure.reason, `the HPA was unable to compute the replica count: ${failure.detail}`)
      const error = `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${failure.message}`
      events.warning(autoscaler, 'FailedComputeMetricsReplicas', error)
      return undefined
    }
    const message = `the HPA was able to successfully calculate a replica count from ${wish?.metric ?? ''}`
    this.#set('ScalingActive', 'True', 'ValidMetricFound', message)
    return wish ?? { replicas: 0, metric: '' }
  }

  /** The Pods of the target, or why they cannot be told. */
  #podsOf({ status }: Scale): Pod[] | string {
    const { events, podsIn, selectorsIn } = this.#needs
    const refused = (event: string, message: string, condition: string, text = message) => {
      events.warning(this.#autoscaler, event, message)
      this.#set('ScalingActive', 'False', condition, text)
      return message
    }
    const { selector } = status
    if (!selector)
      return refused(
        'SelectorRequired',
        'selector is required',
        'InvalidSelector',
        "the HPA target's scale is missing a selector"
      )
    let selects: LabelMatcher
    try {
      selects = parseLabelSelector(selector)?.matches ?? (() => true)
    } catch (error) {
      const message = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`
      return refused('InvalidSelector', message, 'InvalidSelector')
    }
    this.#memory.selects = selects
    const namespace = this.#autoscaler.metadata.namespace!
    const pods = podsIn(namespace).filter(({ metadata }) => selects(metadata.labels ?? {}))
    const rivals = selectorsIn(namespace).filter(one => pods.some(({ metadata }) => one.selects(metadata.labels ?? {})))
    if (rivals.length <= 1) return pods
    const names = rivals.slice(0, 2).map(({ key }) => key)
    const message = `pods by selector ${selector} are controlled by more than one HPA (e.g. [${names.join(' ')}])`
    return refused('AmbiguousSelector', message, 'AmbiguousSelector')
  }

  get #tolerances(): Tolerances {
    const { scaleUp, scaleDown } = this.#autoscaler.spec.behavior ?? {}
    const value = (text: string | undefined) =>
      text === undefined ? usualTolerance : Number(milliValue(parseQuantity(text))) / 1000
    return { up: value(scaleUp?.tolerance), down: value(scaleDown?.tolerance) }
  }

  async #rescale(scale: Scale, desired: number, reason: string): Promise<void> {
    const { events } = this.#needs
    const current = scale.spec.replicas ?? 0
    const { behavior, minReplicas } = this.#autoscaler.spec
    try {
      await this.#write(scale, desired)
    } catch (error) {
      const message = messageOf(error)
      events.warning(this.#autoscaler, 'FailedRescale', `New size: ${desired}; reason: ${reason}; error: ${message}`)
      const text = `the HPA controller was unable to update the target scale: ${message}`
      this.#set('AbleToScale', 'False', 'FailedUpdateScale', text)
      return this.#report(current, this.#autoscaler.status.desiredReplicas)
    }
    this.#set('AbleToScale', 'True', 'SucceededRescale', `the HPA controller was able to update the target scale to ${desired}`)
    events.normal(this.#autoscaler, 'SuccessfulRescale', `New size: ${desired}; reason: ${reason}`)
    this.#memory.history.changed(behavior, current, desired, this.#now)
    if (desired === 0 && minReplicas === 0 && this.#looksOutside)
      this.#set('ScaledToZero', 'True', 'ScaledToZero', 'the HPA controller scaled the workload to zero')
    else this.#set('ScaledToZero', 'False', 'NotScaledToZero', 'the HPA controller did not scale the workload to zero')
    return this.#report(current, desired, timestamp(this.#now))
  }

  async #write(scale: Scale, replicas: number): Promise<void> {
    const update = (present: Scale) =>
      this.#target.update(this.#targetName, { ...present, spec: { ...present.spec, replicas } } as Draft<Scale>)
    try {
      await update(scale)
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 409)) throw error
      await update(await this.#target.get(this.#targetName))
    }
  }

  #set(type: string, status: string, reason: string, message: string): void {
    const old = this.#conditions.find(condition => condition.type === type)
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp(this.#now)
    const condition = { type, status, lastTransitionTime, reason, message }
    this.#conditions = old ? this.#conditions.map(one => (one === old ? condition : one)) : [...this.#conditions, condition]
  }

  async #report(current: number | undefined, desired: number, scaledAt?: string): Promise<void> {
    const { client, learn } = this.#needs
    const { metadata, status: present } = this.#autoscaler
    const isKnown = this.#conditions.some(({ type, status }) => type === 'AbleToScale' && status === 'True')
    const status = {
      ...present,
      // a target that cannot be asked leaves the rest as it is
      ...(isKnown || this.#metrics ? { observedGeneration: metadata.generation, currentMetrics: this.#metrics } : {}),
      currentReplicas: current,
      desiredReplicas: desired,
      ...(scaledAt ? { lastScaleTime: scaledAt } : {}),
      conditions: this.#conditions
    }
    if (isDeepStrictEqual(status, present)) return
    const next = { ...this.#autoscaler, status } as Draft<Autoscaler>
    try {
      learn(await client.of('autoscaling/v2', 'HorizontalPodAutoscaler').subresource('status').update(this.#autoscaler, next))
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      this.#needs.events.warning(this.#autoscaler, 'FailedUpdateStatus', messageOf(error))
    }
  }
}
