import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestContext } from '../../apimachinery/request/context.js'
import type { BodyPieces, Response } from '../../apimachinery/request/message.js'
import { infoOf } from '../../testkit/flow-control.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { requestFamilies } from './request-families.js'
import { RequestMetrics } from './request-metrics.js'

test('an answer that the server cuts off is counted, one that its client gives up is not', async () => {
  const metrics = new Metrics()
  const route = { group: '', version: 'v1', resource: 'pods', subresource: '' }
  const { stage } = new RequestMetrics({ families: requestFamilies(metrics), now: () => 0, routeOf: () => route })
  const pieces: BodyPieces = { length: undefined, next: () => undefined }
  for (const [body, aborted] of [
    [pieces, true],
    [pieces, false],
    [Buffer.alloc(100_000), true],
    [Buffer.alloc(10), true]
  ] as const) {
    const request = { method: 'GET', url: '/api/v1/pods', headers: {} }
    const context = new RequestContext(request as never, 0, 'id')
    context.info = infoOf('/api/v1/pods', 'GET')
    context.record.route = route
    await stage.handle(context, () => ({ status: 200, headers: {}, body }) satisfies Response)
    context.ended(aborted)
    context.ended()
  }
  const found = (await metrics.text()).split('\n').filter(line => line.startsWith('apiserver_request_aborts_total{'))
  const labels = 'group="",resource="pods",scope="cluster",subresource="",verb="LIST",version="v1"'
  assert.deepEqual(found, [`apiserver_request_aborts_total{${labels}} 2`])
})
