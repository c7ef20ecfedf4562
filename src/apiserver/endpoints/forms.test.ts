import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())

const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`

function ask(url: string, headers: Record<string, string> = {}, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return server.inject({ url, method, user, headers: { ...type, ...headers }, body: body && JSON.stringify(body) })
}

const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const hpas = 'namespaces/default/horizontalpodautoscalers'
const events = 'namespaces/default/events'

test('a review comes as PartialObjectMetadata, but neither as a Table nor as a list', async () => {
  const partial = (await ask(reviews, { accept: as('PartialObjectMetadata') }, {})).json()
  assert.deepEqual([partial.kind, partial.status], ['PartialObjectMetadata', undefined])
  const table = await ask(reviews, { accept: as('Table') }, {})
  assert.deepEqual([table.status, table.json().reason], [406, 'NotAcceptable'])
  const list = await ask(reviews, { accept: as('PartialObjectMetadataList') }, {})
  assert.equal(
    list.json().message,
    'you requested PartialObjectMetadataList, but the requested object is not a list (*authentication.SelfSubjectReview)'
  )
})

test('a Status comes as a Status whatever form is requested', async () => {
  await ask('/api/v1/namespaces/default/configmaps', {}, { metadata: { name: 'gone' } })
  const path = '/api/v1/namespaces/default/configmaps/gone?dryRun=All'
  for (const kind of ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])
    assert.equal((await ask(path, { accept: as(kind) }, undefined, 'DELETE')).json().kind, 'Status')
})

test('cells are the same in every version', async () => {
  const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } }
  await ask(`/apis/autoscaling/v1/${hpas}`, {}, { metadata: { name: 'h' }, spec })
  await ask(
    `/api/v1/${events}`,
    {},
    { metadata: { name: 'e' }, involvedObject: { namespace: 'default', kind: 'Pod', name: 'p' } }
  )
  const cells = async (path: string) => (await ask(path, { accept: as('Table') })).json().rows[0].cells
  assert.equal((await cells(`/apis/autoscaling/v1/${hpas}/h`))[2], 'cpu: <unknown>/80%')
  assert.deepEqual(await cells(`/apis/autoscaling/v1/${hpas}`), await cells(`/apis/autoscaling/v2/${hpas}`))
  assert.equal((await cells(`/apis/events.k8s.io/v1/${events}`))[3], 'pod/p')
})

test('cells show placeholders for empty values', async () => {
  const row = async (path: string, body: any) => {
    await ask(path, {}, body)
    return (await ask(`${path}/${body.metadata.name}`, { accept: as('Table') })).json().rows[0].cells
  }
  const involvedObject = { namespace: 'default', name: 'p' }
  const event = await row(`/api/v1/${events}`, { metadata: { name: 'odd' }, involvedObject, series: {} })
  assert.deepEqual([event[0], event[3], event[8]], ['<unknown>', '/p', 0])
  const node = { metadata: { name: 'odd' }, status: { nodeInfo: { architecture: 'arm64' } } }
  assert.equal((await row('/api/v1/nodes', node))[8], '<unknown> (arm64)')
  const slice = { metadata: { name: 'odd' }, addressType: 'IPv4', endpoints: [], ports: [{}] }
  assert.equal((await row('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice))[2], '<unset>')
})

test('aggregated discovery is served in Protobuf', async () => {
  const accept = 'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  for (const path of ['/api', '/apis']) {
    const { status, headers } = await ask(path, { accept })
    assert.deepEqual([status, headers['content-type']], [200, accept])
  }
})

test("an IPAddress's row has one cell more than there are columns", async () => {
  await ask(
    '/apis/networking.k8s.io/v1/ipaddresses',
    {},
    { metadata: { name: '192.168.9.9' }, spec: { parentRef: { resource: 'r', name: 'n' } } }
  )
  const table = (await ask('/apis/networking.k8s.io/v1/ipaddresses/192.168.9.9', { accept: as('Table') })).json()
  assert.deepEqual([table.columnDefinitions.length, table.rows[0].cells.length], [2, 3])
})

test("the router's checks of headers precede those of handlers", async () => {
  const status = async (url: string, headers: Record<string, string>, method = 'GET') =>
    (await server.inject({ url, method, user, headers })).status
  assert.equal(await status('/version', { accept: 'application/yaml' }), 406)
  assert.equal(await status('/version', { accept: 'text/html, */*' }), 200)
  assert.equal(await status('/version/x', {}), 404)
  assert.equal(await status('/apis/apps/v1', { accept: 'text/html' }, 'PUT'), 405)
  assert.equal(await status('/apis/apps/v1', { 'content-type': 'text/html' }), 415)
  assert.equal(await status('/api/v1/pods', { accept: 'application/*' }), 406)
  assert.equal(await status('/', { accept: 'text/html' }), 200)
  const patch = { accept: 'text/html', 'content-type': 'Application/merge-patch+json' }
  assert.equal(await status('/api/v1/namespaces/default', patch, 'PATCH'), 415)
  const refused = await ask('/api/v1/namespaces/default/endpoints', { accept: 'text/html' })
  assert.deepEqual([refused.status, refused.headers.warning], [406, undefined])
})

test('discovery negotiates its media type at /apis and at the path of a group', async () => {
  const accept = 'application/yaml;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io'
  const aggregated = await ask('/apis', { accept })
  assert.match(String(aggregated.headers['content-type']), /^application\/yaml;g=apidiscovery/)
  assert.match(aggregated.body.toString(), /^apiVersion: apidiscovery.k8s.io\/v2\n/)
  assert.equal((await ask('/apis/apps', { accept: 'application/*' })).status, 200)
})

test('each kind has its own message for an unknown field selector', async () => {
  const words = async (path: string) => (await ask(`${path}?fieldSelector=spec.x%3D1`)).json().message
  assert.equal(await words('/apis/batch/v1/jobs'), 'field label "spec.x" not supported for Job')
  assert.equal(
    await words('/apis/resource.k8s.io/v1/resourceslices'),
    'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.x'
  )
  const unknown = '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"'
  for (const path of ['/api/v1/persistentvolumes', '/apis/apps/v1/replicasets']) assert.equal(await words(path), unknown)
})

test('an empty Table has no list of rows where the columns are the default ones', async () => {
  const rows = async (path: string) => {
    const { body } = await ask(`${path}?labelSelector=no%3Done`, { accept: as('Table') })
    return JSON.parse(body.toString()).rows
  }
  assert.equal(await rows('/apis/rbac.authorization.k8s.io/v1/clusterroles'), null)
  assert.deepEqual(await rows('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'), null)
  assert.deepEqual(await rows('/api/v1/configmaps'), [])
})
