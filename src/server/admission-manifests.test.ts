import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer } from '../index.js'
import { startWebhook } from '../testkit/webhook-server.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const group = 'admissionregistration.k8s.io'
const apiVersion = `${group}/v1`
const featureGates = { ManifestBasedAdmissionControlConfig: true }

async function start(t: TestContext, kinds: Readonly<Record<string, string>>, manifests: Readonly<Record<string, object[]>>) {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-manifests-'))
  const write = (plugin: string, objects: readonly object[]) =>
    writeFileSync(join(directory, plugin, 'all.yaml'), objects.map(object => JSON.stringify(object)).join('\n---\n'))
  const plugins = Object.entries(manifests).map(([name, objects]) => {
    mkdirSync(join(directory, name))
    write(name, objects)
    const configuration = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: kinds[name],
      staticManifestsDir: join(directory, name)
    }
    return { name, configuration }
  })
  const admissionControlConfigFile = join(directory, 'admission.yaml')
  const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }
  writeFileSync(admissionControlConfigFile, JSON.stringify(configuration))
  const lines: string[] = []
  const keep = (text: string) => void lines.push(text)
  const server = createServer({ admissionControlConfigFile, featureGates, log: { error: keep, warn: keep, info: keep } })
  await server.start()
  t.after(async () => {
    await server.stop()
    rmSync(directory, { recursive: true })
  })
  const request = async (method: string, url: string, body?: object) => {
    const answer = await server.inject({ method, url, user: admin, ...(body && { body }) })
    return { status: answer.status, body: answer.json() as any }
  }
  return { server, write, lines, request }
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const rules = (resources: string[], groups = [''], operations = ['CREATE', 'DELETE']) => [
  { apiGroups: groups, apiVersions: ['*'], operations, resources }
]

const policyKinds = { ValidatingAdmissionPolicy: 'ValidatingAdmissionPolicyConfiguration' }
const policy = (expression: string, message: string, resourceRules: object[]) => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'guard.static.k8s.io' },
  spec: { matchConstraints: { resourceRules }, validations: [{ expression, message }] }
})
const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'guard.static.k8s.io' },
  spec: { policyName: 'guard.static.k8s.io', validationActions: ['Deny'] }
}

test('policies of manifests apply, also to policies, and change with their files', async t => {
  // the server writes ConfigMaps of its own when it starts
  const ofSystem = 'has(object.metadata.namespace) && object.metadata.namespace != "default"'
  const guarded = [...rules(['configmaps']), ...rules(['validatingadmissionpolicies'], [group])]
  const { server, write, lines, request } = await start(t, policyKinds, {
    ValidatingAdmissionPolicy: [policy(ofSystem, 'no', guarded), binding]
  })
  const create = (name: string) => request('POST', configMaps, { metadata: { name } })
  const refused = await create('a')
  assert.equal(refused.status, 422)
  assert.match(
    refused.body.message,
    /ValidatingAdmissionPolicy 'guard.static.k8s.io' with binding 'guard.static.k8s.io' denied request: no$/
  )
  const url = `/apis/${apiVersion}/validatingadmissionpolicies`
  const other = { ...policy('true', 'x', rules(['pods'])), metadata: { name: 'other' } }
  assert.equal((await request('POST', url, other)).status, 422)
  assert.equal((await request('GET', url)).body.items.length, 0)

  write('ValidatingAdmissionPolicy', [policy('tru', 'no', guarded), binding])
  await server.reload()
  assert.ok(
    lines.some(line => /^reloading the manifests of ValidatingAdmissionPolicy in .*undeclared reference to 'tru'/s.test(line))
  )
  assert.equal((await create('a')).status, 422)

  write('ValidatingAdmissionPolicy', [
    policy(`${ofSystem} || object.metadata.name != "b"`, 'not b', rules(['configmaps'])),
    binding
  ])
  await server.reload()
  assert.equal((await create('a')).status, 201)
  assert.equal((await create('b')).status, 422)
  assert.equal((await request('POST', url, other)).status, 201)

  const text = (await server.inject({ url: '/metrics', user: admin })).body.toString()
  const name = 'apiserver_manifest_admission_config_controller'
  const labels = (status: string) =>
    `\\{apiserver_id_hash="sha256:[0-9a-f]{64}",plugin="ValidatingAdmissionPolicy",status="${status}"\\}`
  assert.match(text, new RegExp(`^${name}_automatic_reloads_total${labels('success')} 2$`, 'm'))
  assert.match(text, new RegExp(`^${name}_automatic_reloads_total${labels('failure')} 1$`, 'm'))
  assert.match(
    text,
    new RegExp(`^${name}_last_config_info\\{.*hash="sha256:[0-9a-f]{64}",plugin="ValidatingAdmissionPolicy"\\} 1$`, 'm')
  )
})

test('webhooks of manifests are called before those of the API, also for configurations of webhooks', async t => {
  const called: string[] = []
  const webhook = await startWebhook(review => {
    called.push(`${review.request.resource.resource} ${review.request.name}`)
    const { apiVersion, kind } = review
    return { apiVersion, kind, response: { uid: review.request.uid, allowed: review.request.name !== 'no' } }
  })
  t.after(() => webhook.close())
  const configuration = (name: string, resourceRules: object[], path: string) => ({
    apiVersion,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'guard.example.com',
        clientConfig: { url: `${webhook.url}/${path}`, caBundle: webhook.caBundle },
        rules: resourceRules,
        sideEffects: 'None',
        admissionReviewVersions: ['v1']
      }
    ]
  })
  const all = [...rules(['configmaps']), ...rules(['validatingwebhookconfigurations'], [group])]
  const { request } = await start(
    t,
    { ValidatingAdmissionWebhook: 'WebhookAdmissionConfiguration' },
    { ValidatingAdmissionWebhook: [configuration('guard.static.k8s.io', all, 'static')] }
  )
  assert.equal((await request('POST', configMaps, { metadata: { name: 'no' } })).status, 400)
  assert.equal((await request('POST', configMaps, { metadata: { name: 'yes' } })).status, 201)
  const url = `/apis/${apiVersion}/validatingwebhookconfigurations`
  assert.equal((await request('POST', url, configuration('no', all, 'api'))).status, 400)
  assert.equal((await request('POST', url, configuration('api', all, 'api'))).status, 201)
  called.length = 0
  assert.equal((await request('POST', configMaps, { metadata: { name: 'two' } })).status, 201)
  assert.deepEqual(called, ['configmaps two', 'configmaps two'])
  // that of the API is not asked about its own kind
  called.length = 0
  assert.equal((await request('DELETE', `${url}/api`)).status, 200)
  assert.deepEqual(called, ['validatingwebhookconfigurations api'])
})

test('names of manifests cannot be used through the API', async t => {
  const { request } = await start(t, {}, {})
  const url = `/apis/${apiVersion}/validatingadmissionpolicybindings`
  const { status, body } = await request('POST', url, {
    metadata: { name: 'a.static.k8s.io' },
    spec: { policyName: 'a', validationActions: ['Deny'] }
  })
  assert.equal(status, 422)
  assert.match(body.message, /metadata.name: Invalid value: "a.static.k8s.io": names ending with ".static.k8s.io" are reserved/)
})

test('without the gate, the API warns about names of manifests', async t => {
  const server = createServer({ featureGates: { ManifestBasedAdmissionControlConfig: false } })
  await server.start()
  t.after(() => server.stop())
  const url = `/apis/${apiVersion}/validatingadmissionpolicybindings`
  const body = { metadata: { name: 'a.static.k8s.io' }, spec: { policyName: 'a', validationActions: ['Deny'] } }
  const answer = await server.inject({ method: 'POST', url, body, user: admin })
  assert.equal(answer.status, 201)
  assert.match(String(answer.headers.warning), /names ending with \\".static.k8s.io\\" are reserved/)
})
