/** Metrics of the addresses and node ports of Services, under kube-apiserver's names. */
import type { Counter } from '../../util/instruments/family.js'
import { defaultBuckets, type Metrics } from '../../util/instruments/metrics.js'

/** How many addresses and node ports are taken at present. */
export interface NetworkUse {
  readonly ranges: readonly { readonly cidr: string; readonly allocated: number; readonly size: number }[]
  readonly ports: { readonly allocated: number; readonly size: number }
}

export class AllocationMetrics {
  readonly #addresses
  readonly #addressErrors
  readonly #addressSeconds
  readonly #ports
  readonly #portErrors

  readonly #metrics: Metrics
  #leaks: Counter | undefined

  constructor(metrics: Metrics, use: () => NetworkUse) {
    this.#metrics = metrics
    const family = (name: string, help: string, labels: readonly string[]) =>
      ({ name: `kube_apiserver_${name}`, help, stage: 'ALPHA', labels }) as const
    const addresses = (name: string, help: string, read: (range: NetworkUse['ranges'][number]) => number) => {
      const gauge = metrics.gauge({
        ...family(`clusterip_allocator_${name}`, help, ['cidr']),
        collect() {
          for (const range of use().ranges) gauge.of(range.cidr).set(read(range))
        }
      })
    }
    addresses('allocated_ips', 'Addresses that Services have.', ({ allocated }) => allocated)
    addresses('available_ips', 'Addresses that Services may still have.', ({ size, allocated }) => size - allocated)
    this.#addresses = metrics.counter(
      family('clusterip_allocator_allocation_total', 'Addresses that Services were given.', ['cidr', 'scope'])
    )
    this.#addressErrors = metrics.counter(
      family('clusterip_allocator_allocation_errors_total', 'Addresses that Services could not have.', ['cidr', 'scope'])
    )
    this.#addressSeconds = metrics.histogram({
      ...family('clusterip_allocator_allocation_duration_seconds', 'How long it took to find an address.', ['cidr']),
      buckets: defaultBuckets
    })
    const ports = (name: string, help: string, read: (ports: NetworkUse['ports']) => number) => {
      const gauge = metrics.gauge({
        ...family(`nodeport_allocator_${name}`, help, []),
        collect: () => gauge.of().set(read(use().ports))
      })
    }
    ports('allocated_ports', 'Node ports that Services have.', ({ allocated }) => allocated)
    ports('available_ports', 'Node ports that Services may still have.', ({ size, allocated }) => size - allocated)
    this.#ports = metrics.counter(
      family('nodeport_allocator_allocation_total', 'Node ports that Services were given.', ['scope'])
    )
    this.#portErrors = metrics.counter(
      family('nodeport_allocator_allocation_errors_total', 'Node ports that Services could not have.', ['scope'])
    )
  }

  /** Calls `take`, which takes an address or throws. `isChosen` says that the Service asks for this address. */
  address<T>(cidr: string, isChosen: boolean, take: () => T): T {
    const scope = scopeOf(isChosen)
    const began = performance.now()
    try {
      const taken = take()
      this.#addresses.of(cidr, scope).add()
      this.#addressSeconds.of(cidr).observe((performance.now() - began) / 1000)
      return taken
    } catch (error) {
      this.#addressErrors.of(cidr, scope).add()
      throw error
    }
  }

  port<T>(isChosen: boolean, take: () => T): T {
    const scope = scopeOf(isChosen)
    try {
      const taken = take()
      this.#ports.of(scope).add()
      return taken
    } catch (error) {
      this.#portErrors.of(scope).add()
      throw error
    }
  }

  /** Counts node ports that no Service had. Most stores leave none. */
  leaked(count: number): void {
    const help = 'Allocated node ports that were not those of Services.'
    this.#leaks ??= this.#metrics.counter({
      name: 'apiserver_nodeport_repair_port_errors_total',
      help,
      stage: 'ALPHA',
      labels: ['type']
    })
    this.#leaks.of('leak').add(count)
  }
}

const scopeOf = (isChosen: boolean) => (isChosen ? 'static' : 'dynamic')
