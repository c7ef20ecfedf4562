import type * as Prometheus from 'prom-client'
import { lazyPackage } from '../util/lazy-package.js'

/** Loaded on demand, because prom-client loads OpenTelemetry's 51 files even when nothing is traced. */
const library = lazyPackage<typeof Prometheus>('prom-client')

type Make = (library: typeof Prometheus, registry: Prometheus.Registry) => void

/** Metrics that are made at the first request for them, or with the first event: their library is loaded only then. */
export class LazyMetrics {
  #registry: Prometheus.Registry | undefined
  readonly #waiting: Make[] = []

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
}
