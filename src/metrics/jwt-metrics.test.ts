import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../testing/fake-clock.js'
import { PrometheusJwtMetrics } from './jwt-metrics.js'
import { LazyMetrics } from './lazy-metrics.js'

const issuer = 'https://issuer.example.com'
const name = 'apiserver_authentication_jwt_authenticator'

test('metrics of issuers show hashes, and forget issuers that are removed', async () => {
  const all = new LazyMetrics()
  const metrics = new PrometheusJwtMetrics(all, new FakeClock(5_000))
  metrics.authenticated(issuer, 0.002, true)
  metrics.authenticated(issuer, 0.002, false)
  metrics.keysFetched(issuer, undefined)
  metrics.keysFetched(issuer, '{"keys":[]}')
  const text = await all.registry.metrics()
  assert.doesNotMatch(text, /example\.com/)
  const hash = 'sha256:[0-9a-f]{64}'
  for (const line of [
    `${name}_latency_seconds_bucket{le="0.001",result="success",jwt_issuer_hash="${hash}"} 0`,
    `${name}_latency_seconds_bucket{le="0.005",result="failure",jwt_issuer_hash="${hash}"} 1`,
    `${name}_jwks_fetch_last_timestamp_seconds{result="success",jwt_issuer_hash="${hash}",apiserver_id_hash="${hash}"} 5`,
    `${name}_jwks_fetch_last_timestamp_seconds{result="failure",jwt_issuer_hash="${hash}",apiserver_id_hash="${hash}"} 5`,
    `${name}_jwks_fetch_last_key_set_info{jwt_issuer_hash="${hash}",apiserver_id_hash="${hash}",hash="${hash}"} 1`
  ])
    assert.match(text, new RegExp(`^${line.replace('{', '\\{').replace('}"', '}"')}$`.replaceAll('}} ', '}\\} '), 'm'))
  metrics.issuerRemoved(issuer)
  assert.doesNotMatch(await all.registry.metrics(), /^\w+_jwks_fetch_\w+\{/m)
})
