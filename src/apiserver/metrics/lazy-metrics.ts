import type * as Prometheus from 'prom-client'
import { lazyPackage } from '../../util/lazy-package.js'

/** Loaded on first use, because prom-client loads OpenTelemetry's 51 files even when nothing is traced. */
const library = lazyPackage<typeof Prometheus>('prom-client')

type Make = (library: typeof Prometheus, registry: Prometheus.Registry) => void

/**
 * Metrics that prom-client keeps, beside `Metrics`: those of Node. They are made at the first request for them, or with the first
 * event: their library is loaded only then.
 */
export class LazyMetrics {
  readonly #disabled: ReadonlySet<string>
  #registry: Prometheus.Registry | undefined
  readonly #waiting: Make[] = []

  /** `disabled` are the names of metrics that are not shown. */
  constructor(disabled: ReadonlySet<string> = new Set()) {
    this.#disabled = disabled
  }

  add(make: Make): void {
    if (this.#registry) make(library(), this.#registry)
    else this.#waiting.push(make)
  }

  get registry(): Prometheus.Registry {
    if (!this.#registry) {
      this.#registry = new (library().Registry)()
      for (const make of this.#waiting.splice(0)) make(library(), this.#registry)
    }
    return this.#registry
  }

  /** Makes metrics at once, for an event that is about to be counted. */
  make<T>(metrics: (library: typeof Prometheus, registry: Prometheus.Registry) => T): T {
    return metrics(library(), this.registry)
  }

  /** Returns all metrics in Prometheus' text format. */
  async text(): Promise<string> {
    if (!this.#registry && this.#waiting.length === 0) return ''
    const { registry } = this
    for (const name of this.#disabled) registry.removeSingleMetric(name)
    const text = await registry.metrics()
    return text.trim() === '' ? '' : `${text.trimEnd()}\n`
  }
}
