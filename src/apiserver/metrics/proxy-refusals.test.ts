import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestContext } from '../../apimachinery/request/context.js'
import { infoOf } from '../../testkit/flow-control.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { ProxyRefusals } from './proxy-refusals.js'
import { requestFamilies } from './request-families.js'

test('requests that the aggregation proxy refuses are counted by their own words, and a flood of made-up resources by none', async () => {
  const metrics = new Metrics()
  const refusals = new ProxyRefusals(requestFamilies(metrics).terminations)
  const refuse = (url: string, method = 'GET') => {
    const context = new RequestContext({ method, url, headers: {} } as never, 0, 'id')
    context.info = infoOf(url, method)
    refusals.count(context, 503)
  }
  const root = '/apis/a.example.com/v1'
  refuse(root)
  refuse(`${root}/things`)
  refuse(`${root}/namespaces/b/things/c/status`, 'PATCH')
  const lines = async () =>
    (await metrics.text()).split('\n').filter(line => line.startsWith('apiserver_request_terminations_total{'))
  const labels = (group: string, resource: string, scope: string, subresource: string, verb: string, version: string) =>
    `apiserver_request_terminations_total{code="503",component="aggregator",group="${group}",resource="${resource}",` +
    `scope="${scope}",subresource="${subresource}",verb="${verb}",version="${version}"} `
  assert.deepEqual((await lines()).sort(), [
    `${labels('', '', '', root, 'GET', '')}1`,
    `${labels('a.example.com', 'things', 'cluster', '', 'LIST', 'v1')}1`,
    `${labels('a.example.com', 'things', 'resource', 'status', 'PATCH', 'v1')}1`
  ])
  for (let i = 0; i < 2000; i++) refuse(`${root}/things${i}`)
  const found = await lines()
  assert.ok(found.length < 1100, `${found.length} series`)
  assert.ok(found.includes(`${labels('a.example.com', '', 'cluster', '', 'LIST', 'v1')}1003`))
})
