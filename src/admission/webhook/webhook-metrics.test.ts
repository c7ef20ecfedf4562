import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../../util/instruments/metrics.js'
import { WebhookMetrics } from './webhook-metrics.js'

test('calls are counted with the labels and buckets of kube-apiserver, and codes above 600 as 600', async () => {
  const metrics = new Metrics()
  const webhooks = new WebhookMetrics(metrics)
  const call = { name: 'h', type: 'admit', operation: 'CREATE' } as const
  webhooks.observe(call, 3, 200, false)
  webhooks.observeRejection(call, 'calling_webhook_error', 503)
  webhooks.observeRejection(call, 'no_error', 4711)
  webhooks.observeFailOpen(call)
  const lines = (await metrics.text()).split('\n').filter(line => line.startsWith('apiserver_admission_webhook_'))
  const prefix = 'apiserver_admission_webhook_'
  const of = 'name="h",operation="CREATE"'
  const duration = (le: string, count: number) =>
    `${prefix}admission_duration_seconds_bucket{${of},rejected="false",type="admit",le="${le}"} ${count}`
  for (const line of [
    ...['0.005', '0.025', '0.1', '0.5', '1', '2.5'].map(le => duration(le, 0)),
    ...['10', '25', '+Inf'].map(le => duration(le, 1)),
    `${prefix}request_total{code="200",${of},rejected="false",type="admit"} 1`,
    `${prefix}rejection_count{error_type="calling_webhook_error",${of},rejection_code="503",type="admit"} 1`,
    `${prefix}rejection_count{error_type="no_error",${of},rejection_code="600",type="admit"} 1`,
    `${prefix}fail_open_count{name="h",type="admit"} 1`
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
})
