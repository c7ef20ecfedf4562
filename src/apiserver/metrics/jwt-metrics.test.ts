import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { PrometheusJwtMetrics } from './jwt-metrics.js'

const issuer = 'https://issuer.example.com'
const name = 'apiserver_authentication_jwt_authenticator'

test('metrics of issuers show hashes, and forget issuers that are removed', async () => {
  const all = new Metrics()
  const metrics = new PrometheusJwtMetrics(all, new FakeClock(5_000))
  metrics.authenticated(issuer, 0.002, true)
  metrics.authenticated(issuer, 0.002, false)
  metrics.keysFetched(issuer, undefined)
  metrics.keysFetched(issuer, '{"keys":[]}')
  const text = await all.text()
  assert.doesNotMatch(text, /example\.com/)
  const hash = 'sha256:[0-9a-f]{64}'
  for (const line of [
    `${name}_latency_seconds_bucket{jwt_issuer_hash="${hash}",result="success",le="0.001"} 0`,
    `${name}_latency_seconds_bucket{jwt_issuer_hash="${hash}",result="failure",le="0.005"} 1`,
    `${name}_jwks_fetch_last_timestamp_seconds{apiserver_id_hash="${hash}",jwt_issuer_hash="${hash}",result="success"} 5`,
    `${name}_jwks_fetch_last_timestamp_seconds{apiserver_id_hash="${hash}",jwt_issuer_hash="${hash}",result="failure"} 5`,
    `${name}_jwks_fetch_last_key_set_info{apiserver_id_hash="${hash}",hash="${hash}",jwt_issuer_hash="${hash}"} 1`
  ])
    assert.match(text, new RegExp(`^${line.replace('{', '\\{').replace('}"', '}"')}$`.replaceAll('}} ', '}\\} '), 'm'))
  metrics.issuerRemoved(issuer)
  assert.doesNotMatch(await all.text(), /^\w+_jwks_fetch_\w+\{/m)
})

test('without its gate, nothing is told of the keys of issuers', async () => {
  const all = new Metrics()
  const metrics = new PrometheusJwtMetrics(all, new FakeClock(5_000), false)
  metrics.keysFetched(issuer, '{"keys":[]}')
  assert.doesNotMatch(await all.text(), /^\w+_jwks_fetch_\w+\{/m)
})
