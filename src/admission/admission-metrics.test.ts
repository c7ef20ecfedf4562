import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../util/instruments/metrics.js'
import { AdmissionMetrics, policyErrorOf } from './admission-metrics.js'

test('match conditions are timed, and counted when they exclude a request or fail', async () => {
  const metrics = new Metrics()
  const admission = new AdmissionMetrics(metrics)
  for (const [name, met] of [
    ['met', true],
    ['excluded', false],
    ['failed', { error: 'x' }]
  ] as const)
    admission.conditionsEvaluated({ name, kind: 'webhook', type: 'admit' }, 'CREATE', performance.now(), met)
  const prefix = 'apiserver_admission_match_condition_'
  const labels = (name: string) => `{kind="webhook",name="${name}",operation="CREATE",type="admit"} 1`
  const counted = (await metrics.text()).split('\n').filter(line => line.startsWith(prefix) && !line.includes('_seconds_bucket'))
  assert.deepEqual(counted.filter(line => !line.includes('_seconds_sum')).sort(), [
    `${prefix}evaluation_errors_total${labels('failed')}`,
    ...['excluded', 'failed', 'met'].map(name => `${prefix}evaluation_seconds_count${labels(name)}`),
    `${prefix}exclusions_total${labels('excluded')}`
  ])
})

test('the message of a policy tells the kind of its error', () => {
  assert.equal(policyErrorOf('compilation error: x'), 'compile_error')
  assert.equal(policyErrorOf('validation failed due to running out of cost budget, no further validation'), 'out_of_budget')
  assert.equal(policyErrorOf('expression x resulted in error: no such key'), 'invalid_error')
})
