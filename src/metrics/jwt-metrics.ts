/** Metrics of the issuers of JSON Web Tokens, under kube-apiserver's names. They show issuers only as hashes. */
import type * as Prometheus from 'prom-client'
import type { JwtMetrics } from '../authentication/jwt/issuer.js'
import type { Clock } from '../util/clock.js'
import { hashOf, identity } from './config-reload-metrics.js'
import type { LazyMetrics } from './lazy-metrics.js'

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class PrometheusJwtMetrics implements JwtMetrics {
  readonly #all: LazyMetrics
  readonly #clock: Clock
  #metrics: ReturnType<typeof make> | undefined
  readonly #keySets = new Map<string, string>()

  constructor(all: LazyMetrics, clock: Clock) {
    this.#all = all
    this.#clock = clock
  }

  get #made() {
    this.#metrics ??= this.#all.make((library, registry) => make(library, registry, this.#keySets))
    return this.#metrics
  }

  authenticated(issuer: string, seconds: number, succeeded: boolean): void {
    this.#made.latency.observe({ result: resultOf(succeeded), jwt_issuer_hash: hashOf(issuer) }, seconds)
  }

  keysFetched(issuer: string, text: string | undefined): void {
    const labels = issuerLabels(issuer)
    this.#made.fetched.set({ result: resultOf(text !== undefined), ...labels }, this.#clock.now() / 1000)
    if (text !== undefined) this.#keySets.set(labels.jwt_issuer_hash, text === '' ? '' : hashOf(text))
  }

  issuerRemoved(issuer: string): void {
    const labels = issuerLabels(issuer)
    for (const succeeded of [true, false]) this.#made.fetched.remove({ result: resultOf(succeeded), ...labels })
    this.#keySets.delete(labels.jwt_issuer_hash)
  }
}

const resultOf = (succeeded: boolean) => (succeeded ? 'success' : 'failure')

const apiserver_id_hash = hashOf(identity())

const issuerLabels = (issuer: string) => ({ jwt_issuer_hash: hashOf(issuer), apiserver_id_hash })

function make({ Gauge, Histogram }: typeof Prometheus, registry: Prometheus.Registry, keySets: ReadonlyMap<string, string>) {
  const registers = [registry]
  const subject = 'apiserver_authentication_jwt_authenticator'
  new Gauge({
    name: `${subject}_jwks_fetch_last_key_set_info`,
    help: 'The hash of the keys that were fetched last, by issuer.',
    labelNames: ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
    registers,
    collect() {
      this.reset()
      for (const [jwt_issuer_hash, hash] of keySets) this.set({ jwt_issuer_hash, apiserver_id_hash, hash }, 1)
    }
  })
  return {
    latency: new Histogram({
      name: `${subject}_latency_seconds`,
      help: 'How long it took to authenticate JSON Web Tokens that were not remembered.',
      labelNames: ['result', 'jwt_issuer_hash'],
      buckets,
      registers
    }),
    fetched: new Gauge({
      name: `${subject}_jwks_fetch_last_timestamp_seconds`,
      help: 'When the keys of an issuer were fetched last, by what came of it.',
      labelNames: ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
      registers
    })
  }
}
