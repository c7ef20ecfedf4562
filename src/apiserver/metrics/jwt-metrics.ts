/** Metrics of the issuers of JSON Web Tokens, under kube-apiserver's names. They show issuers only as hashes. */
import type { JwtMetrics } from '../../auth/authentication/jwt/issuer.js'
import type { Clock } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import { hashOf, identity } from './config-reload-metrics.js'

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class PrometheusJwtMetrics implements JwtMetrics {
  readonly #clock: Clock
  readonly #tellsKeys: boolean
  readonly #latency
  readonly #fetched
  /** For the hash of each issuer, the hash of its key set. */
  readonly #keySets = new Map<string, string>()

  /** `tellsKeys`: whether the metrics tell when and which keys of issuers were fetched. */
  constructor(metrics: Metrics, clock: Clock, tellsKeys = true) {
    this.#tellsKeys = tellsKeys
    this.#clock = clock
    const subject = 'apiserver_authentication_jwt_authenticator'
    this.#latency = metrics.histogram({
      name: `${subject}_latency_seconds`,
      help: 'How long it took to authenticate JSON Web Tokens that were not remembered.',
      stage: 'ALPHA',
      labels: ['result', 'jwt_issuer_hash'],
      buckets
    })
    this.#fetched = metrics.gauge({
      name: `${subject}_jwks_fetch_last_timestamp_seconds`,
      help: 'When the keys of an issuer were fetched last, by what came of it.',
      stage: 'ALPHA',
      labels: ['result', 'jwt_issuer_hash', 'apiserver_id_hash']
    })
    const keySets = metrics.gauge({
      name: `${subject}_jwks_fetch_last_key_set_info`,
      help: 'The hash of the keys that were fetched last, by issuer.',
      stage: 'ALPHA',
      labels: ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
      collect: () => {
        keySets.clear()
        for (const [issuer, hash] of this.#keySets) keySets.of(issuer, serverHash, hash).set(1)
      }
    })
  }

  authenticated(issuer: string, seconds: number, succeeded: boolean): void {
    this.#latency.of(resultOf(succeeded), hashOf(issuer)).observe(seconds)
  }

  keysFetched(issuer: string, text: string | undefined): void {
    if (!this.#tellsKeys) return
    const hash = hashOf(issuer)
    this.#fetched.of(resultOf(text !== undefined), hash, serverHash).set(this.#clock.now() / 1000)
    if (text !== undefined) this.#keySets.set(hash, text === '' ? '' : hashOf(text))
  }

  issuerRemoved(issuer: string): void {
    const hash = hashOf(issuer)
    for (const succeeded of [true, false]) this.#fetched.remove(resultOf(succeeded), hash, serverHash)
    this.#keySets.delete(hash)
  }
}

const resultOf = (succeeded: boolean) => (succeeded ? 'success' : 'failure')
const serverHash = hashOf(identity())
