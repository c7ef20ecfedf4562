import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portless } from '../../client/testing/portless.js'
import { eventually } from '../../testkit/eventually.js'

// tests wait for events, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

const template = {
  metadata: { name: 'gpu' },
  spec: {
    metadata: { labels: { of: 'gpu' } },
    spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }] } }
  }
}
const pod = (name: string) => ({
  metadata: { name },
  spec: {
    nodeName: 'node-0',
    restartPolicy: 'Never' as const,
    containers: [{ name: 'web', image: 'nginx' }],
    resourceClaims: [{ name: 'card', resourceClaimTemplateName: 'gpu' }]
  }
})

describe('the claims of Pods for resources', () => {
  test('are made of a template, reserved for their Pod, and freed when it has ended', async t => {
    const server = await portless(t, { simulate: { nodes: 1 } })
    const client = server.client()
    const claims = client.of('resource.k8s.io/v1', 'ResourceClaim')
    const pods = client.of('v1', 'Pod')
    await pods.create(pod('web'))
    const find = async () =>
      (await client.of('v1', 'Event').list()).items.find(({ reason }) => reason === 'FailedResourceClaimCreation')
    const failed = await eventually('the template is missed', find)
    assert.match(failed!.message!, /^PodResourceClaim card: resource claim template "gpu": .*not found$/)
    await client.of('resource.k8s.io/v1', 'ResourceClaimTemplate').create(template)
    const named = ({ status }: { status: { resourceClaimStatuses?: readonly unknown[] | undefined } }) =>
      !!status.resourceClaimStatuses
    const { status } = await eventually('the Pod has its claim', () => pods.get('web'), named)
    const [{ name, resourceClaimName }] = status.resourceClaimStatuses as [{ name: string; resourceClaimName: string }]
    assert.equal(name, 'card')
    assert.match(resourceClaimName, /^web-card-[a-z0-9]{5}$/)
    const made = await claims.get(resourceClaimName)
    assert.deepEqual(made.metadata.labels, { of: 'gpu' })
    assert.equal(made.metadata.annotations?.['resource.kubernetes.io/pod-claim-name'], 'card')
    assert.equal(made.metadata.ownerReferences?.[0]?.name, 'web')
    // what the scheduler does
    const finalizers = ['resource.kubernetes.io/delete-protection']
    await claims.patch(resourceClaimName, { metadata: { finalizers } })
    const results = [{ request: 'one', driver: 'gpu.example.com', pool: 'node-0', device: 'card-0' }]
    await claims.subresource('status').patch(resourceClaimName, { status: { allocation: { devices: { results } } } })
    const reserved = await eventually(
      'the claim is reserved',
      () => claims.get(resourceClaimName),
      one => one.status?.reservedFor?.length
    )
    assert.equal(reserved.status?.reservedFor?.[0]?.name, 'web')
    await pods.patch('web', { metadata: { annotations: { 'simulate.binnacle.dev/exits-after': '0s' } } })
    await eventually(
      'the claim is gone',
      () => claims.find(resourceClaimName),
      found => found === undefined
    )
  })
})
