/** The mode Node in a whole server: a Pod bound to a node lets the node's kubelet read the objects that the Pod needs. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const kubelet = (node: string) => ({ name: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] })
const core = '/api/v1/namespaces/default'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

async function make(url: string, name: string, more: object = {}): Promise<void> {
  const answer = await server.inject({ url, user: admin, body: { metadata: { name }, ...more } })
  assert.equal(answer.status, 201, answer.json().message)
}

/** Returns the reason why the kubelet of a node is refused, or '' when it is allowed. */
async function refusal(node: string, url: string, method = 'GET'): Promise<string> {
  const { status, json } = await server.inject({ method, url, user: kubelet(node) })
  return status === 403
    ? json().message.replace(/^.*?: User .*? (?:in the namespace "[^"]*"|at the cluster scope)(?:: |$)/, '')
    : ''
}

const unrelated = "node: no relationship found between node 'n1' and this object"
const pod = (nodeName: string, spec: object) => ({
  spec: { nodeName, automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }], ...spec }
})

describe('the mode Node', () => {
  it('lets a kubelet read the objects that its Pods need, as long as the Pods exist', async () => {
    await make(`${core}/secrets`, 's')
    assert.equal(await refusal('n1', `${core}/secrets/s`), unrelated)
    await make(`${core}/pods`, 'p', pod('n1', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }))
    assert.equal(await refusal('n1', `${core}/secrets/s`), '')
    assert.equal(await refusal('n1', `${core}/secrets?fieldSelector=metadata.name=s`), '')
    assert.equal(await refusal('n1', `${core}/secrets`), 'node: No Object name found')
    assert.match(await refusal('n2', `${core}/secrets/s`), /^node: no relationship/)
    await server.inject({ method: 'DELETE', url: `${core}/pods/p?gracePeriodSeconds=0`, user: admin })
    assert.equal(await refusal('n1', `${core}/secrets/s`), unrelated)
  })

  it('follows claims to volumes, and volumes to their secrets', async () => {
    await make(`${core}/secrets`, 'disk')
    const csi = { driver: 'd', volumeHandle: 'h', nodeStageSecretRef: { namespace: 'default', name: 'disk' } }
    const claimRef = { namespace: 'default', name: 'data' }
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi, claimRef }
    await make('/api/v1/persistentvolumes', 'pv', { spec })
    assert.equal(await refusal('n1', '/api/v1/persistentvolumes/pv'), unrelated)
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }]
    await make(`${core}/pods`, 'q', pod('n1', { volumes }))
    assert.equal(await refusal('n1', '/api/v1/persistentvolumes/pv'), '')
    assert.equal(await refusal('n1', `${core}/secrets/disk`), '')
  })

  it('shows a kubelet its own pods and its own node only', async () => {
    assert.equal(await refusal('n1', '/api/v1/pods?fieldSelector=spec.nodeName=n1'), '')
    const others = 'node: can only list/watch pods with spec.nodeName field selector'
    assert.equal(await refusal('n1', '/api/v1/pods?fieldSelector=spec.nodeName=n2'), others)
    assert.equal(await refusal('n1', '/api/v1/pods?fieldSelector=spec.nodeName!=n1'), others)
    assert.equal(await refusal('n1', '/api/v1/nodes/n1'), '')
    assert.equal(await refusal('n1', '/api/v1/nodes/n2'), "node: node 'n1' cannot read 'n2', only its own Node object")
  })
})
