import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portless } from '../../client/testing/portless.js'

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { generateName: 'j-' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } }
}
const url = '/apis/batch/v1/namespaces/default/jobs'
const user = { name: 'me', groups: ['system:masters'] }

describe('a workload on which nothing acts', () => {
  const created = async (server: Awaited<ReturnType<typeof portless>>, headers: Record<string, string>) => {
    const { status, headers: answered } = await server.inject({ method: 'POST', url, body: job, user, headers })
    assert.equal(status, 201)
    return String(answered.warning ?? '')
  }
  const kubectl = { 'kubectl-command': 'kubectl create' }

  test('is warned of to kubectl, and not to programs', async t => {
    const server = await portless(t)
    assert.match(
      await created(server, kubectl),
      /nothing acts on this Job, because there is neither a controller manager nor a Node/
    )
    assert.equal(await created(server, {}), '')
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'a' }] } }
    const { headers } = await server.inject({
      method: 'POST',
      url: '/api/v1/namespaces/default/pods',
      body: pod,
      user,
      headers: kubectl
    })
    assert.match(String(headers.warning), /this Pod stays Pending, because there is no Node to run it/)
  })

  test('is not warned of where a Node, a controller manager or a simulated cluster has been seen', async t => {
    const withNode = await portless(t)
    await withNode
      .client()
      .of('v1', 'Node')
      .create({ metadata: { name: 'real' } })
    assert.equal(await created(withNode, kubectl), '')
    const withManager = await portless(t)
    const lease = { metadata: { name: 'kube-controller-manager', namespace: 'kube-system' } }
    await withManager.client().of('coordination.k8s.io/v1', 'Lease').create(lease)
    assert.equal(await created(withManager, kubectl), '')
    const simulated = await portless(t, { simulate: { nodes: 0 } })
    assert.equal(await created(simulated, kubectl), '')
  })
})
