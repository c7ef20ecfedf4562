/** The object of a bookmark, which is one without content. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, controllers: [] })
before(() => server.start())
after(() => server.stop())

const nothing =
  '?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=no%3Done'

async function bookmark(path: string, accept = 'application/json'): Promise<any> {
  const { body } = await server.inject({ url: path + nothing, user, headers: { accept } })
  const events = body.toString().trim().split('\n')
  assert.equal(events.length, 1)
  const { type, object } = JSON.parse(events[0]!)
  assert.equal(type, 'BOOKMARK')
  return object
}
const cells = async (path: string) => (await bookmark(path, 'application/json;as=Table;v=v1;g=meta.k8s.io')).rows[0].cells

test('has what kube-apiserver keeps as a number, even if the API leaves it out', async () => {
  for (const resource of ['deployments', 'replicasets', 'statefulsets'])
    assert.equal((await bookmark(`/apis/apps/v1/${resource}`)).spec.replicas, 0)
  assert.deepEqual((await bookmark('/apis/apps/v1/daemonsets')).metadata.annotations, {
    'deprecated.daemonset.template.generation': '0',
    'k8s.io/initial-events-end': 'true'
  })
  assert.deepEqual((await bookmark('/api/v1/secrets')).metadata.annotations, { 'k8s.io/initial-events-end': 'true' })
})

test('has the cells of an object without content', async () => {
  assert.deepEqual(await cells('/apis/rbac.authorization.k8s.io/v1/roles'), ['', '0001-01-01T00:00:00Z'])
  assert.deepEqual((await cells('/apis/apps/v1/deployments'))[7], '')
  assert.equal((await cells('/api/v1/services'))[3], '<unknown>')
  assert.equal((await cells('/api/v1/persistentvolumes'))[1], '0')
  // not the metric that v1 stands for where it has none
  assert.equal((await cells('/apis/autoscaling/v1/horizontalpodautoscalers'))[2], '<none>')
})
