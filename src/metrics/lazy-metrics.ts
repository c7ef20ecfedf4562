import type * as Prometheus from 'prom-client'
import { lazyPackage } from '../util/lazy-package.js'

/** It loads OpenTelemetry's 51 files, whether anybody traces or not. */
const library = lazyPackage<typeof Prometheus>('prom-client')

type Make = (library: typeof Prometheus, registry: Prometheus.Registry) => void

/** Metrics that are made when somebody asks for them, or counts the first event: their library is loaded only then. */
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

  /** Makes metrics whose values are counted from now on. */
  make<T>(metrics: (library: typeof Prometheus, registry: Prometheus.Registry) => T): T {
    return metrics(library(), this.registry)
  }
}
