import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../index.js'
import { Metrics, showsAll } from '../../util/instruments/metrics.js'
import { silentLogger } from '../../util/logger.js'
import { connect } from '../connect/connect.js'
import { countRequests } from './request-metrics.js'

test('requests over the network are counted by status code, method and host, until that ends', async t => {
  const server = createServer({ storageBackend: 'memory', bindAddress: '127.0.0.1', securePort: 0, log: silentLogger })
  t.after(() => server.stop())
  await server.start()
  await using client = await connect({ kubeconfig: server.kubeconfig() })
  await client.of('v1', 'Namespace').list()
  const metrics = new Metrics(showsAll, false)
  const end = countRequests(client, metrics)
  const maps = client.of('v1', 'ConfigMap')
  await maps.create({ metadata: { name: 'a' } })
  await maps.find('b')
  const { host } = new URL(server.url)
  const counts = async () => (await metrics.text()).split('\n').filter(line => line.startsWith('rest_client_requests_total{'))
  assert.deepEqual((await counts()).sort(), [
    `rest_client_requests_total{code="201",host="${host}",method="POST"} 1`,
    `rest_client_requests_total{code="404",host="${host}",method="GET"} 1`
  ])
  end()
  await maps.find('b')
  assert.match((await counts()).join(), /code="404".* 1/)
})

test('a client in the process sends nothing that could be counted', async () => {
  const metrics = new Metrics(showsAll, false)
  countRequests(createServer({ listen: false, log: silentLogger }).client(), metrics)()
  assert.doesNotMatch(await metrics.text(), /rest_client/)
})
