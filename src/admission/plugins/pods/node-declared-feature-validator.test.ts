import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const pods = '/api/v1/namespaces/default/pods'
const initContainers = 'InPlacePodVerticalScalingInitContainers'
const podLevel = 'InPlacePodLevelResourcesVerticalScaling'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, disableAdmissionPlugins: ['ServiceAccount'] })
  await server.start()
  for (const [name, declaredFeatures] of [
    ['old', []],
    ['new', [podLevel, initContainers]]
  ] as const) {
    await ask('POST', '/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/os': 'linux' } } })
    await ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { allocatable: { cpu: '8' }, declaredFeatures } })
  }
  const resources = { requests: { cpu: '1' } }
  for (const nodeName of ['old', 'new', 'missing', undefined]) {
    const spec = {
      nodeName,
      resources: { requests: { cpu: '6' } },
      initContainers: [
        { name: 'i', image: 'i', resources },
        { name: 's', image: 'i', restartPolicy: 'Always', resources }
      ],
      containers: [{ name: 'c', image: 'i', resources }]
    }
    const made = await ask('POST', pods, { metadata: { name: `on-${nodeName}` }, spec })
    assert.equal(made.status, 201, made.body.message)
  }
})
after(() => server.stop())

const ask = (method: string, url: string, body: object) =>
  send(server, method, url, body, method === 'PATCH' ? { type: 'application/strategic-merge-patch+json' } : {})

const resize = async (pod: string, spec: object) => {
  const { status, body } = await ask('PATCH', `${pods}/${pod}/resize?dryRun=All`, { spec })
  return status === 200 ? undefined : body.message
}
const resources = { requests: { cpu: '2' } }

test('init containers are resized only on nodes that declare the feature, other containers on any node', async () => {
  const forbidden = `pods "on-old" is forbidden: pod update requires features ${initContainers} which are not available on node "old"`
  assert.equal(await resize('on-old', { initContainers: [{ name: 'i', resources }] }), forbidden)
  assert.equal(await resize('on-old', { initContainers: [{ name: 's', resources }], containers: [{ name: 'c' }] }), undefined)
  assert.equal(await resize('on-new', { initContainers: [{ name: 'i', resources }] }), undefined)
})

test('the error names all features that the node lacks', async () => {
  assert.equal(
    await resize('on-old', { resources: { requests: { cpu: '7' } }, initContainers: [{ name: 'i', resources }] }),
    `pods "on-old" is forbidden: pod update requires features ${podLevel}, ${initContainers} which are not available on node "old"`
  )
})

test('a Pod without a node can be resized freely, a Pod on a missing node cannot', async () => {
  assert.equal(await resize('on-undefined', { initContainers: [{ name: 'i', resources }] }), undefined)
  assert.equal(
    await resize('on-missing', { initContainers: [{ name: 'i', resources }] }),
    'pods "on-missing" is forbidden: node "missing" not found'
  )
})
