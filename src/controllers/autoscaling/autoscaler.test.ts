import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MetricSpec } from '../../apimachinery/api/generated/autoscaling-v2.js'
import { portless } from '../../client/testing/portless.js'
import type { BinnacleServer } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'

// tests wait for events, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

const minute = 60_000
const usage = (value: string) => ({ 'simulate.binnacle.dev/cpu-usage': value })

async function start(t: test.TestContext, metrics: MetricSpec[], annotations: Record<string, string> = {}) {
  const clock = new FakeClock()
  const server = await portless(t, { clock, seed: 'once', simulate: { nodes: 2 } })
  const containers = [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '100m' } } }]
  const template = { metadata: { labels: { app: 'web' }, annotations }, spec: { containers } }
  await server
    .client()
    .of('apps/v1', 'Deployment')
    .create({ metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template } })
  await clock.pass(6 * minute)
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  await server
    .client()
    .of('autoscaling/v2', 'HorizontalPodAutoscaler')
    .create({ metadata: { name: 'web' }, spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 5, metrics } })
  // the autoscaler is seen before time goes on
  await clock.pass(0)
  return { clock, server }
}

const look = async (server: BinnacleServer) => {
  const { status } = await server.client().of('autoscaling/v2', 'HorizontalPodAutoscaler').get('web')
  const { spec } = await server.client().of('apps/v1', 'Deployment').get('web')
  return { status, replicas: spec.replicas }
}
const said = async (server: BinnacleServer, reason: string) =>
  (await server.client().of('v1', 'Event').list()).items.filter(event => event.reason === reason).map(event => event.message)
const condition = ({ status }: Awaited<ReturnType<typeof look>>, type: string) => {
  const found = status.conditions?.find(one => one.type === type)
  return [found?.status, found?.reason, found?.message].join(' ')
}

const byCpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }

describe('an autoscaler of a simulated cluster', () => {
  test('scales by what Pods declare to use, up soon and down after five minutes', async t => {
    const { clock, server } = await start(t, [byCpu], usage('90m'))
    const first = await look(server)
    assert.equal(first.replicas, 4)
    assert.deepEqual(first.status.currentMetrics?.[0]?.resource?.current, { averageUtilization: 90, averageValue: '90m' })
    assert.match(condition(first, 'AbleToScale'), /True SucceededRescale .* to 4/)
    assert.match(
      condition(first, 'ScalingActive'),
      /True ValidMetricFound .*from cpu resource utilization \(percentage of request\)/
    )
    assert.deepEqual(await said(server, 'SuccessfulRescale'), [
      'New size: 4; reason: cpu resource utilization (percentage of request) above target'
    ])
    await clock.pass(14_000)
    assert.equal((await look(server)).replicas, 4)
    await clock.pass(7 * minute)
    const full = await look(server)
    assert.equal(full.replicas, 5)
    assert.match(condition(full, 'ScalingLimited'), /True TooManyReplicas/)
    const pods = server.client().of('v1', 'Pod')
    for (const { metadata } of (await pods.list()).items)
      await pods.patch(metadata.name!, { metadata: { annotations: usage('10m') } })
    await clock.pass(minute)
    const waits = await look(server)
    assert.equal(waits.replicas, 5)
    assert.match(condition(waits, 'AbleToScale'), /True ScaleDownStabilized/)
    await clock.pass(6 * minute)
    assert.equal((await look(server)).replicas, 1)
    assert.ok((await said(server, 'SuccessfulRescale')).includes('New size: 1; reason: All metrics below target'))
  })

  test('scales by metrics of Pods, of objects and from outside', async t => {
    const target = (averageValue: string) => ({ type: 'AverageValue', averageValue })
    const { clock, server } = await start(
      t,
      [
        { type: 'Pods', pods: { metric: { name: 'requests' }, target: target('10') } },
        {
          type: 'Object',
          object: {
            metric: { name: 'hits' },
            describedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'front' },
            target: { type: 'Value', value: '2' }
          }
        },
        { type: 'External', external: { metric: { name: 'queue' }, target: target('30') } }
      ],
      { 'simulate.binnacle.dev/metric.requests': '12500m' }
    )
    const client = server.client()
    const metric = (name: string, value: string) => ({ annotations: { [`simulate.binnacle.dev/metric.${name}`]: value } })
    await client.of('v1', 'ConfigMap').create({ metadata: { name: 'front', ...metric('hits', '2') } })
    const first = await look(server)
    assert.equal(first.replicas, 3, 'two metrics are missing, but one asks for more')
    assert.match((await said(server, 'FailedGetObjectMetric'))[0]!, /could not find the metric hits for ConfigMap front/)
    assert.match((await said(server, 'FailedGetExternalMetric'))[0]!, /no metrics returned from external metrics API/)
    await client.of('v1', 'Namespace').patch('default', { metadata: metric('queue', '120') })
    await clock.pass(15_000)
    const second = await look(server)
    assert.equal(second.replicas, 4)
    const [pods, object, external] = second.status.currentMetrics!
    assert.equal(pods?.pods?.current.averageValue, '12500m')
    assert.equal(object?.object?.current.value, '2')
    assert.equal(external?.external?.current.averageValue, '40')
  })

  test('says why it cannot scale', async t => {
    const { clock, server } = await start(t, [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } } }
    ])
    const failed = await look(server)
    const [pod] = (await server.client().of('v1', 'Pod').list()).items
    assert.match(
      condition(failed, 'ScalingActive'),
      /False FailedGetResourceMetric the HPA was unable to compute the replica count: failed to get memory utilization: missing request for memory in container web of Pod web-/
    )
    assert.match(
      (await said(server, 'FailedComputeMetricsReplicas'))[0]!,
      /^invalid metrics \(1 invalid out of 1\), first error is: failed to get memory resource metric value: /
    )
    assert.ok(pod)
    await server.client().of('apps/v1', 'Deployment').delete('web')
    await clock.pass(15_000)
    assert.match(
      condition(
        await server
          .client()
          .of('autoscaling/v2', 'HorizontalPodAutoscaler')
          .get('web')
          .then(({ status }) => ({ status, replicas: 0 })),
        'AbleToScale'
      ),
      /False FailedGetScale .*deployments.apps "web" not found/
    )
  })
})
