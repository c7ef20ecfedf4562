import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const headers = { 'content-type': 'application/json' }
const post = async (url: string, body: object | string) =>
  (await server.inject({ method: 'POST', url: `${url}?dryRun=All`, headers, body, user })).json() as any
const fieldsOf = (answer: any): string[] => answer.details.causes.map(({ field }: { field: string }) => field)

test('a negative generation is refused for kinds whose strategy does not set it', async () => {
  const { message } = await post('/api/v1/nodes', { metadata: { name: 'n', generation: -1 } })
  assert.equal(message, 'Node "n" is invalid: metadata.generation: Invalid value: -1: must be greater than or equal to 0')
})

test('an integer beyond int64 keeps its digits in the message', async () => {
  const { message } = await post('/apis/apps/v1/namespaces/default/controllerrevisions', '{"revision":9223372036854775808}')
  assert.match(message, /cannot unmarshal number 9223372036854775808 into/)
})

test('a body of another kind or version is read as what it says it is, and refused then', async () => {
  const secret = (data: object) => post('/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'Secret', data })
  const isNot = 'Secret in version "v1" cannot be handled as a ConfigMap: '
  assert.equal((await secret({ a: '!' })).message, `${isNot}illegal base64 data at input byte 0`)
  assert.equal((await secret({ a: 'YQ==' })).message, `${isNot}converting (v1.Secret) to (core.ConfigMap): unknown conversion`)
  const body = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', spec: { metrics: [], maxReplicas: 1 } }
  const url = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers?dryRun=All&fieldValidation='
  const hpa = async (validation: string) => {
    const answer = await server.inject({ method: 'POST', url: url + validation, headers, body, user })
    const { message } = answer.json() as { message: string }
    return { message, warning: answer.headers.warning }
  }
  const other = 'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)'
  assert.deepEqual(await hpa('Warn'), { message: other, warning: ['299 - "unknown field \\"spec.metrics\\""'] })
  assert.match(
    (await hpa('Strict')).message,
    /cannot be handled as a HorizontalPodAutoscaler: strict decoding error: unknown field "spec.metrics"$/
  )
})

test('a generateName next to a name only has to be valid as a path segment', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const body = { metadata: { name: 'a', generateName: '50%' }, spec: { selector: { a: 'b' }, template } }
  const answer = await post('/api/v1/namespaces/default/replicationcontrollers', body)
  assert.deepEqual(fieldsOf(answer), ['metadata.generateName'])
})

test('a review is stripped of server-set metadata and duplicate owners before validation', async () => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }
  const { message } = await post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    metadata: { uid: 'u', selfLink: 's', deletionGracePeriodSeconds: 1, ownerReferences: [owner, owner] },
    spec: { nonResourceAttributes: { verb: 'get', path: '/' } }
  })
  const value = 'metadata: Invalid value: {"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}],"managed'
  assert.ok(message.includes(value), message)
})

test('a TokenReview keeps the status fields that the client sent and the server does not set', async () => {
  const { status } = await post('/apis/authentication.k8s.io/v1/tokenreviews', {
    spec: { token: 'nobody' },
    status: { authenticated: true, audiences: ['a'], user: { username: 'x' } }
  })
  assert.deepEqual([status.authenticated, status.audiences, status.user], [undefined, ['a'], { username: 'x' }])
})

test("a template's metadata may have only labels and annotations besides Go zero values", async () => {
  const metadata = { uid: 'u', generation: 0, ownerReferences: [], name: '', labels: {} }
  const answer = await post('/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates', {
    metadata: { name: 'a' },
    spec: { metadata, spec: { devices: {} } }
  })
  assert.deepEqual(fieldsOf(answer), ['spec.metadata.uID', 'spec.metadata.ownerReferences'])
})

test('a Binding needs a name that is valid as a storage key', async () => {
  const { message } = await post('/api/v1/namespaces/default/bindings', { metadata: { name: '50%' }, target: { name: 'n' } })
  assert.equal(message, 'Name parameter invalid: "50%": may not contain \'%\'')
})

test("a Job's labels are copied from its template when it is stored, and validated only in the template", async () => {
  const spec = { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } }
  const jobs = '/apis/batch/v1/namespaces/default/jobs'
  const wrong = fieldsOf(await post(jobs, { metadata: { name: '-1' }, spec }))
  assert.ok(!wrong.includes('metadata.labels'), wrong.join())
  assert.equal((await post(jobs, { metadata: { name: 'a' }, spec })).metadata.labels['job-name'], 'a')
})

test('claims of a StatefulSet are validated before its template, a duplicate LimitRange type before its amounts', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: {} }
  const spec = { selector: { matchLabels: { a: 'b' } }, template, volumeClaimTemplates: [{ spec: {} }] }
  const [first] = fieldsOf(await post('/apis/apps/v1/namespaces/default/statefulsets', { metadata: { name: 'a' }, spec }))
  assert.equal(first, 'spec.volumeClaimTemplates[0].spec.accessModes')
  const limits = [{ type: 'Pod' }, { type: 'Pod', max: { x: '1' } }]
  const [twice] = fieldsOf(await post('/api/v1/namespaces/default/limitranges', { metadata: { name: 'a' }, spec: { limits } }))
  assert.equal(twice, 'spec.limits[1].type')
})

test('a patch that makes an object one of another kind is refused as a body of that kind is', async () => {
  const configMaps = '/api/v1/namespaces/default/configmaps'
  await server.inject({
    method: 'POST',
    url: configMaps,
    headers,
    body: { metadata: { name: 'turned' }, data: { a: '!' } },
    user
  })
  const refusal = async (body: unknown, type = 'json-patch') => {
    const patch = {
      method: 'PATCH',
      url: `${configMaps}/turned`,
      headers: { 'content-type': `application/${type}+json` },
      body,
      user
    }
    const { message } = (await server.inject(patch)).json() as { message: string }
    return message.slice(message.lastIndexOf('": ') + 3)
  }
  assert.equal(await refusal({ kind: 'Secret' }, 'merge-patch'), 'illegal base64 data at input byte 0')
  assert.equal(
    await refusal({ kind: 'ServiceAccount' }, 'merge-patch'),
    'converting (v1.ServiceAccount) to (core.ConfigMap): unknown conversion'
  )
  assert.match(
    await refusal([{ op: 'replace', path: '', value: [] }]),
    /^couldn't get version\/kind; json parse error: json: cannot unmarshal array/
  )
})
