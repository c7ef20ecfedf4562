import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../testkit/eventually.js'
import { simulatedCluster } from '../workloads/testing/simulated.js'

const cluster = simulatedCluster({
  simulate: { nodes: 2, behavior: (_, { name }) => (name === 'side' ? { cpuUsage: '50m', memoryUsage: '1Mi' } : undefined) }
})

const ask = async (path: string) => {
  const { status, body } = await cluster.client.request({ url: `/apis/metrics.k8s.io/v1beta1${path}` })
  const text = body.toString()
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const metricsOf = async (path: string) =>
  (await ask(path)).body.items.map(({ metadata, usage, containers }: any) => [metadata.name, usage ?? containers])

describe('the metrics API of a simulated cluster', () => {
  test('is registered, found, and says what Pods and Nodes use', async () => {
    const pods = cluster.client.of('v1', 'Pod')
    const pod = (name: string, annotations: Record<string, string>, containers: string[]) =>
      pods.create({
        metadata: { name, labels: { app: name }, annotations },
        spec: { nodeName: 'node-0', containers: containers.map(one => ({ name: one, image: 'i' })) }
      })
    await pod('web', { 'simulate.binnacle.dev/cpu-usage': '0.2', 'simulate.binnacle.dev/memory-usage': '64Mi' }, ['main', 'side'])
    await pod('idle', {}, ['main'])
    await pod('unknown', { 'simulate.binnacle.dev/cpu-usage': 'none' }, ['main'])
    await cluster.settle()
    const service = await eventually(
      'the APIService is available',
      () => cluster.client.of('apiregistration.k8s.io/v1', 'APIService').get('v1beta1.metrics.k8s.io'),
      ({ status }) => !!status?.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True')
    )
    assert.equal(service.spec.service?.name, 'metrics-server')
    const { body } = await ask('')
    assert.deepEqual(
      body.resources.map(({ name }: { name: string }) => name),
      ['nodes', 'pods']
    )
    const zero = { name: 'main', usage: { cpu: '0', memory: '0' } }
    const web = [
      { name: 'main', usage: { cpu: '200m', memory: '64Mi' } },
      { name: 'side', usage: { cpu: '50m', memory: '1Mi' } }
    ]
    assert.deepEqual(await metricsOf('/namespaces/default/pods'), [
      ['web', web],
      ['idle', [zero]]
    ])
    assert.deepEqual(await metricsOf('/pods?labelSelector=app%3Didle'), [['idle', [zero]]])
    assert.deepEqual(await metricsOf('/nodes'), [
      ['node-0', { cpu: '250m', memory: '65Mi' }],
      ['node-1', { cpu: '0', memory: '0' }]
    ])
    assert.deepEqual((await ask('/namespaces/default/pods/web')).body.containers, web)
  })

  test('knows nothing of silent Nodes, of other namespaces, and of what is not there', async () => {
    const nodes = cluster.client.of('v1', 'Node')
    const annotations = { 'simulate.binnacle.dev/silent': 'true' }
    await nodes.patch('node-1', { metadata: { annotations } })
    await nodes.patch('node-0', { metadata: { annotations: { 'simulate.binnacle.dev/cpu-usage': '3' } } })
    await cluster.settle()
    assert.deepEqual(await metricsOf('/nodes'), [['node-0', { cpu: '3', memory: '65Mi' }]])
    assert.deepEqual(await metricsOf('/namespaces/kube-system/pods'), [])
    const missing = await ask('/namespaces/default/pods/unknown')
    assert.equal(missing.status, 404)
    assert.equal(missing.body.message, 'pods.metrics.k8s.io "unknown" not found')
    assert.equal((await ask('/elsewhere')).status, 404)
    assert.equal((await ask('/nodes?labelSelector=a%20b')).status, 400)
  })
})
