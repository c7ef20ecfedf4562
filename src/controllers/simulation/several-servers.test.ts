/** A simulated cluster on several servers over one etcd. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../server/server.js'
import { startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { eventually } from '../../testkit/eventually.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const annotations = {
  'simulate.binnacle.dev/logs': 'hello',
  'simulate.binnacle.dev/cpu': '100m',
  'simulate.binnacle.dev/memory': '1Mi'
}
const labels = { app: 'web' }
const template = { metadata: { labels, annotations }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }

test('one of them runs it, each answers for its Pods, and another goes on', { skip: withoutEtcd ?? false }, async t => {
  const etcd = await startEtcd()
  t.after(() => etcd.remove())
  const start = async () => {
    const server = createServer({ storageBackend: 'etcd3', etcdServers: [etcd.url], simulate: { nodes: 2 }, log: silentLogger })
    await server.start()
    t.after(() => server.stop())
    return server
  }
  const servers = [await start(), await start()]
  const deployments = servers[1]!.client().of('apps/v1', 'Deployment')
  await deployments.create({ metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } })
  const ready = (replicas: number) =>
    eventually(
      `${replicas} Pods are ready`,
      () => deployments.get('web'),
      ({ status }) => status.readyReplicas === replicas
    )
  await ready(2)
  const { items } = await servers[0]!.client().of('v1', 'Pod').list()
  assert.equal(items.length, 2, 'one leader makes the Pods')
  for (const server of servers) {
    const user = { name: 'admin', groups: ['system:masters'] }
    const url = `/api/v1/namespaces/default/pods/${items[0]!.metadata.name}/log`
    const log = await server.inject({ method: 'GET', url, user })
    assert.deepEqual([log.status, String(log.body)], [200, 'hello\n'])
    await eventually(
      'the metrics API knows both Pods',
      () => send(server, 'GET', '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods'),
      ({ body }) => body.items?.length === 2
    )
  }
  await servers[0]!.stop()
  await deployments.patch('web', { spec: { replicas: 3 } })
  await ready(3)
})
