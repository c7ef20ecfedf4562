/** Server-side apply to built-in kinds whose older version keeps fields in annotations. The answers are kube-apiserver's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, controllers: [], storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const path = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/h`
const autoscaler = (version: string, spec: object) => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h' },
  spec
})
const apply = (version: string, spec: object) =>
  send(server, 'PATCH', `${path(version)}?fieldManager=me`, autoscaler(version, spec), { type: 'application/apply-patch+yaml' })
const needed = { maxReplicas: 4, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } }

test('an owned struct with defaults is lost in a version that keeps it in an annotation, which nobody owns', async () => {
  const first = await apply('v2', { ...needed, behavior: {} })
  assert.equal(first.body.spec.behavior.scaleDown.selectPolicy, 'Max')
  // one version alone keeps it
  const again = await apply('v2', { maxReplicas: 4, behavior: {}, scaleTargetRef: needed.scaleTargetRef })
  assert.equal(again.body.spec.behavior.scaleDown.selectPolicy, 'Max')
  const labels = { metadata: { labels: { a: 'b' } } }
  await send(server, 'PATCH', `${path('v1')}?fieldManager=other`, labels, { type: 'application/merge-patch+json' })
  const { status, body } = await apply('v2', { behavior: {} })
  assert.deepEqual([status, body.spec.behavior], [200, undefined])
  // what v1 requires is filled in again there, and so stays
  assert.equal(body.spec.maxReplicas, 4)
})

test('what an apply gives to rules that v1 keeps without their policies gets the defaults of v2', async () => {
  await send(server, 'DELETE', path('v2'))
  await apply('v1', needed)
  const { status, body } = await apply('v2', { behavior: { scaleDown: {} } })
  assert.equal(status, 200, body.message)
  assert.deepEqual(body.spec.behavior.scaleDown.policies, [{ type: 'Percent', value: 100, periodSeconds: 15 }])
})
