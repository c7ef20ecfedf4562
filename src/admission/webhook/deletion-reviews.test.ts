/** What webhooks see of deletions. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { startWebhook, type TestWebhook } from '../../testkit/webhook-server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters'] }
const pods = '/api/v1/namespaces/default/pods'
const configMaps = '/api/v1/namespaces/default/configmaps'
let server: BinnacleServer
let hook: TestWebhook
/** What the webhook was asked about: the names of the objects, with the grace periods of the options. */
let asked: [string, number?][]
let refused: string | undefined
/** The status of a refusal. */
let refusal: object | undefined
const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body, { user })

before(async () => {
  hook = await startWebhook(({ apiVersion, kind, request }) => {
    const { name } = request.oldObject.metadata
    const { gracePeriodSeconds } = request.options
    asked.push(gracePeriodSeconds === undefined ? [name] : [name, gracePeriodSeconds])
    return { apiVersion, kind, response: { uid: request.uid, allowed: name !== refused, status: refusal } }
  })
  server = createServer({ log: silentLogger, controllers: ['token-cleaner-controller'] })
  await server.start()
  const webhooks = [
    {
      name: 'v.example.com',
      clientConfig: { url: hook.url, caBundle: hook.caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods', 'configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1']
    }
  ]
  const url = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  assert.equal((await ask('POST', url, { metadata: { name: 'v' }, webhooks })).status, 201)
  await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
})
after(async () => {
  await server.stop()
  await hook.close()
})
beforeEach(() => {
  asked = []
  refused = undefined
  refusal = undefined
})

async function createPod(name: string, spec: object = {}): Promise<void> {
  const body = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } }
  assert.equal((await ask('POST', pods, body)).status, 201)
}

test('a Pod without a node is deleted in two steps, which are reviewed with a grace period of 0', async () => {
  await createPod('a')
  await ask('DELETE', `${pods}/a`)
  assert.deepEqual(asked, [
    ['a', 0],
    ['a', 0]
  ])
})

test('the deletion of a Pod on a node is reviewed once, with the grace period of the Pod', async () => {
  await createPod('b', { nodeName: 'n', terminationGracePeriodSeconds: 7 })
  await ask('DELETE', `${pods}/b`)
  assert.deepEqual(asked, [['b', 7]])
})

test('a negative grace period is one second', async () => {
  await ask('POST', configMaps, { metadata: { name: 'c' } })
  await ask('DELETE', `${configMaps}/c`, { gracePeriodSeconds: -5 })
  assert.deepEqual(asked, [['c', 1]])
})

test('a deletion of a collection ends with the object that admission refuses', async () => {
  for (const name of ['d1', 'd2', 'd3']) {
    const metadata = { name, labels: { case: 'd' } }
    assert.equal((await ask('POST', configMaps, { metadata })).status, 201)
  }
  refused = 'd2'
  const { status } = await ask('DELETE', `${configMaps}?labelSelector=case=d&gracePeriodSeconds=-5`)
  assert.equal(status, 400)
  assert.deepEqual(asked, [
    ['d1', -5],
    ['d2', -5]
  ])
  const { body } = await ask('GET', `${configMaps}?labelSelector=case=d`)
  assert.deepEqual(
    body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    ['d2', 'd3']
  )
})

for (const [what, status, code] of [
  ['whose reason is that it is gone counts as gone', { code: 429, reason: 'NotFound' }, 200],
  ['with the code 404 and no reason that tells more counts as gone', { code: 404, reason: 'Lost' }, 200],
  ['with the code 404 and another reason ends the deletion', { code: 404, reason: 'Conflict' }, 404]
] as const)
  test(`in a deletion of a collection, an object ${what}`, async () => {
    const labels = { case: String(code) + status.reason }
    for (const name of ['e1', 'e2'])
      await ask('POST', configMaps, { metadata: { name: name + status.reason.toLowerCase(), labels } })
    refused = `e1${status.reason.toLowerCase()}`
    refusal = status
    const selected = `${configMaps}?labelSelector=case=${labels.case}`
    assert.equal((await ask('DELETE', selected)).status, code)
    assert.equal(asked.length, code === 200 ? 2 : 1)
    assert.equal((await ask('GET', selected)).body.items.length, code === 200 ? 1 : 2)
  })

test('a dry run in which finalizers end answers with an object without fields', async () => {
  await ask('POST', configMaps, { metadata: { name: 'e', finalizers: ['orphan'] }, data: { a: '1' } })
  const { body } = await ask('DELETE', `${configMaps}/e?propagationPolicy=Background&dryRun=All`)
  assert.deepEqual(body, { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} })
  assert.deepEqual((await ask('GET', `${configMaps}/e`)).body.data, { a: '1' })
  await ask('DELETE', `${configMaps}/e?propagationPolicy=Background`)
  assert.deepEqual(asked, [['e'], ['e'], ['e']])
  assert.equal((await ask('GET', `${configMaps}/e`)).status, 404)
})
