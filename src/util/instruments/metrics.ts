/**
 * The metrics of one server. Each room declares those that it counts, beside what it counts; `/metrics` writes them all. They are
 * Kubernetes' metrics: their help begins with their stage, and deprecated ones are hidden after some releases.
 */
import { kubernetesMinor } from '../kubernetes-version.js'
import { nextTurn, startSlice } from '../turns.js'
import { type AllowedValues, Counter, type Definition, type Family, Gauge, Histogram, type Stage, Summary } from './family.js'

/** Which metrics are shown, and with which values of their labels. */
export interface MetricOptions {
  /** The names of metrics that are not shown. */
  readonly disabled: ReadonlySet<string>
  /** Whether metrics are shown that this release has hidden. */
  readonly showHidden: boolean
  /** The allowed values of labels, by the name of the metric. */
  readonly allowed: ReadonlyMap<string, AllowedValues>
}

export const showsAll: MetricOptions = { disabled: new Set(), showHidden: false, allowed: new Map() }

/** Seconds, for what takes about as long as a request over a network: the default of Prometheus. */
export const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** `count` limits, each `factor` times the one before. */
export function exponentialBuckets(first: number, factor: number, count: number): readonly number[] {
  const limits = [first]
  while (limits.length < count) limits.push(limits.at(-1)! * factor)
  return limits
}

type Bucketed = Definition & { readonly buckets: readonly number[] }

export class Metrics {
  readonly #options: MetricOptions
  /** The metrics by name. Metrics that are not shown are counted nevertheless, and nobody sees them. */
  readonly #shown = new Map<string, Family<unknown>>()
  #hidden = 0
  readonly #registered = new Counter({ ...registeredTotal, help: helpOf(registeredTotal) }, undefined, () => {})
  readonly #unexpected = new Counter({ ...unexpectedTotal, help: helpOf(unexpectedTotal) }, undefined, () => {})

  /** `withMeta` says whether metrics about the metrics are among them. */
  constructor(options: MetricOptions = showsAll, withMeta = true) {
    this.#options = options
    if (!withMeta) return
    this.#add(this.#registered)
    this.#add(this.#unexpected)
    const disabled = this.counter({ ...disabledTotal, collect: () => disabled.of().set(options.disabled.size) })
    const hidden = this.counter({ ...hiddenTotal, collect: () => hidden.of().set(this.#hidden) })
  }

  /** The names of the metrics that are not to be shown. */
  get disabled(): ReadonlySet<string> {
    return this.#options.disabled
  }

  counter(definition: Definition): Counter {
    return this.#add(new Counter(...this.#arguments(definition)))
  }

  gauge(definition: Definition): Gauge {
    return this.#add(new Gauge(...this.#arguments(definition)))
  }

  histogram(definition: Bucketed): Histogram {
    return this.#add(new Histogram(...this.#arguments(definition)))
  }

  summary(definition: Definition): Summary {
    return this.#add(new Summary(...this.#arguments(definition)))
  }

  #arguments<T extends Definition>(definition: T): [T, AllowedValues | undefined, () => void] {
    const allowed = this.#options.allowed.get(definition.name)
    return [{ ...definition, help: helpOf(definition) }, allowed, () => this.#unexpected.of().add()]
  }

  #add<T extends Family<unknown>>(family: T): T {
    const { name, labels, stage, deprecatedSince = '' } = family.definition
    // a metric without labels exists from the start, with the value zero
    if (!labels?.length) family.of()
    if (this.#options.disabled.has(name)) return family
    if (isHidden(family.definition) && !this.#options.showHidden) {
      this.#hidden++
      return family
    }
    if (this.#shown.has(name)) throw new Error(`there is a metric ${name} already`)
    this.#shown.set(name, family)
    if (stage) this.#registered.of(stage, deprecatedSince).add()
    return family
  }

  /** The names of the metrics that are shown, with or without series. */
  names(): string[] {
    return [...this.#shown.keys()]
  }

  /** Sets counters back to zero. */
  reset(): void {
    for (const family of this.#shown.values()) if (family.definition.labels?.length) family.reset()
  }

  /**
   * Returns all metrics in Prometheus' text format. There may be many series, so other requests run while they are written.
   * `withNative`: with the buckets of native histograms (`distributionLines`).
   */
  async text(withNative = false): Promise<string> {
    const pieces: string[] = []
    let sliceIsOver = startSlice()
    for (const [, family] of [...this.#shown].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await family.definition.collect?.()
      for (const lines of family.text(withNative)) {
        pieces.push(lines)
        if (!sliceIsOver()) continue
        await nextTurn()
        sliceIsOver = startSlice()
      }
    }
    return pieces.join('')
  }
}

function helpOf({ help, stage, deprecatedSince }: Definition): string {
  const since = deprecatedSince === undefined ? '' : `(Deprecated since ${deprecatedSince}) `
  return stage ? `[${stage}] ${since}${help}` : help
}

/** For how many releases a deprecated metric is still shown, by its stage. */
const shownFor: Readonly<Record<Stage, number>> = { INTERNAL: 0, ALPHA: 0, BETA: 1, STABLE: 3 }

function isHidden({ stage = 'ALPHA', deprecatedSince }: Definition): boolean {
  return deprecatedSince !== undefined && Number(deprecatedSince.split('.')[1]) + shownFor[stage] <= kubernetesMinor
}

const registeredTotal: Definition = {
  name: 'registered_metrics_total',
  help: 'Metrics by their stage and the release since which they are deprecated.',
  stage: 'BETA',
  labels: ['stability_level', 'deprecated_version']
}
const disabledTotal: Definition = { name: 'disabled_metrics_total', help: 'Metrics that are disabled.', stage: 'BETA' }
const hiddenTotal: Definition = { name: 'hidden_metrics_total', help: 'Deprecated metrics that are not shown.', stage: 'BETA' }
const unexpectedTotal: Definition = {
  name: 'cardinality_enforcement_unexpected_categorizations_total',
  help: 'Label values that became "unexpected", because they are not allowed.',
  stage: 'ALPHA'
}
