/** NodeRestriction in a server that runs with the plugin. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { admin, send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const kubelet = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }
const core = '/api/v1/namespaces/default'
let server: BinnacleServer
let uid: string

const ask = (user: typeof admin, method: string, url: string, body?: object) => send(server, method, url, body, { user })

async function refusal(method: string, url: string, body?: object): Promise<string> {
  const answer = await ask(kubelet, method, url, body)
  return answer.status === 403 ? answer.body.message.replace(/^.*? is forbidden: /, '') : ''
}

const spec = { nodeName: 'n1', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }

before(async () => {
  server = createServer({ log: silentLogger, enableAdmissionPlugins: ['NodeRestriction'] })
  await server.start()
  const labels = { 'topology.kubernetes.io/zone': 'z' }
  uid = (await ask(kubelet, 'POST', '/api/v1/nodes', { metadata: { name: 'n1', labels } })).body.metadata.uid
  await ask(admin, 'POST', '/api/v1/nodes', { metadata: { name: 'n2' } })
})
after(() => server.stop())

describe('a kubelet', () => {
  it('changes its own Node, but not the labels and taints that attract Pods', async () => {
    const change = (name: string, change: object) => refusal('PATCH', `/api/v1/nodes/${name}`, change)
    assert.equal(await change('n1', { metadata: { labels: { 'node.kubernetes.io/x': 'y', 'example.com/x': 'y' } } }), '')
    assert.equal(await change('n2', {}), 'node "n1" is not allowed to modify node "n2"')
    const labels = { 'x.node-restriction.kubernetes.io/a': '', 'a.k8s.io/b': '' }
    assert.equal(
      await change('n1', { metadata: { labels } }),
      'is not allowed to modify labels: a.k8s.io/b, x.node-restriction.kubernetes.io/a'
    )
    assert.equal(await change('n1', { spec: { taints: [] } }), 'node "n1" is not allowed to modify taints')
  })

  it('creates mirror Pods, which get the zone of its Node', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true }
    const mirror = (name: string, more: object = {}) => ({
      metadata: { name, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner] },
      spec: { ...spec, ...more }
    })
    const made = await ask(kubelet, 'POST', `${core}/pods`, mirror('m'))
    assert.equal(made.status, 201, made.body.message)
    assert.deepEqual(made.body.metadata.labels, { 'topology.kubernetes.io/zone': 'z' })
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }]
    assert.equal(
      await refusal('POST', `${core}/pods`, mirror('o', { volumes })),
      'node "n1" can not create pods that reference persistentvolumeclaims'
    )
    assert.match(await refusal('POST', `${core}/pods`, { metadata: { name: 'p' }, spec }), /can only create mirror pods$/)
  })

  it('gets tokens for the audiences that its Pods name', async () => {
    const token = { serviceAccountToken: { path: 't', audience: 'vault' } }
    const pod = { ...spec, serviceAccountName: 'default', volumes: [{ name: 'v', projected: { sources: [token] } }] }
    const made = await ask(admin, 'POST', `${core}/pods`, { metadata: { name: 'q' }, spec: pod })
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'q', uid: made.body.metadata?.uid }
    const request = (audience: string) =>
      refusal('POST', `${core}/serviceaccounts/default/token`, { spec: { audiences: [audience], boundObjectRef } })
    assert.equal(await request('vault'), '')
    assert.match(await request('other'), /^system:node:n1 is not authorized to request tokens for audience "other"$/)
  })
})
