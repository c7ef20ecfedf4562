/** `binnacle apply --atomic` against a server with TLS, webhooks and audit; the client of the library; custom resources. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { StatusError } from '../../apimachinery/status/status.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { main } from '../command.js'
import { startWebhook, type TestWebhook } from '../webhook-server.js'

let directory: string
let server: BinnacleServer
let hook: TestWebhook
const events: any[] = []
/** What the webhook waits for before it answers for the object `held`. */
let held = async () => {}

const named = (kind: string, name: string, rules: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      clientConfig: { url: `${hook.url}/${name}`, caBundle: hook.caBundle },
      rules: [{ apiGroups: ['', 'apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], ...rules }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1']
    }
  ]
})

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-sets-'))
  // adds a label, and refuses objects that are named so
  hook = await startWebhook(async ({ apiVersion, kind, request }) => {
    const { object, uid } = request
    if (object.metadata.name === 'held') await held()
    if (object.metadata.name === 'refused')
      return { apiVersion, kind, response: { uid, allowed: false, status: { message: 'not this one', code: 403 } } }
    const patch = object.metadata.labels?.seen ? [] : [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }]
    const encoded = Buffer.from(JSON.stringify(patch)).toString('base64')
    return {
      apiVersion,
      kind,
      response: { uid, allowed: true, ...(patch.length ? { patchType: 'JSONPatch', patch: encoded } : {}) }
    }
  })
  server = createServer({
    dataDir: join(directory, 'data'),
    log: silentLogger,
    auditPolicy: { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] },
    auditWrite: event => void events.push(event)
  })
  await server.start()
  await server.client().apply([named('Mutating', 'label', { resources: ['configmaps', 'deployments'] })])
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig(), { mode: 0o600 })
})
after(async () => {
  await server.stop()
  await hook.close()
  await rm(directory, { recursive: true })
})

async function apply(args: string, input = '') {
  const child = spawn(process.execPath, [main, 'apply', ...args.split(' ').filter(Boolean)], {
    cwd: directory,
    env: { ...process.env, KUBECONFIG: join(directory, 'kubeconfig') },
    timeout: 60_000
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', data => (output[name] += data))
  child.stdin.end(input)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, ...output }
}

const manifests = (last: string) => `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {colour: red}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${last}, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`

test('the command applies all or nothing, as kubectl would say it', async () => {
  await writeFile(join(directory, 'shop.yaml'), manifests('web'))
  const client = server.client()
  const refused = await apply('--atomic -f -', manifests('refused'))
  assert.equal(refused.code, 1)
  assert.equal(refused.stdout, '')
  assert.equal(
    refused.stderr,
    'document 3, Deployment "shop/refused": admission webhook "label.example.com" denied the request: not this one\n' +
      'binnacle: nothing was written, because 1 of 3 objects were refused\n'
  )
  assert.equal(await client.of('v1', 'Namespace').find('shop'), undefined)

  const dry = await apply('--atomic -f shop.yaml --dry-run=server')
  assert.deepEqual(dry, {
    code: 0,
    stdout: ['namespace/shop', 'configmap/settings', 'deployment.apps/web']
      .map(name => `${name} serverside-applied (server dry run)\n`)
      .join(''),
    stderr: ''
  })
  assert.equal(await client.of('v1', 'Namespace').find('shop'), undefined)

  const good = await apply('--atomic -f shop.yaml --field-manager me')
  assert.equal(good.stderr, '')
  assert.equal(
    good.stdout,
    'namespace/shop serverside-applied\nconfigmap/settings serverside-applied\ndeployment.apps/web serverside-applied\n'
  )
  const settings = await client.of('v1', 'ConfigMap').get('settings', { namespace: 'shop' })
  const deployment = await client.of('apps/v1', 'Deployment').get('web', { namespace: 'shop' })
  assert.equal(settings.metadata.resourceVersion, deployment.metadata.resourceVersion)
  assert.deepEqual(settings.metadata.labels, { seen: 'yes' })

  const conflict = await apply('--atomic -f shop.yaml --field-manager you', '')
  assert.equal(conflict.code, 0)
  const other = manifests('web').replace('red', 'blue')
  const taken = await apply('--atomic -f - --field-manager you', other)
  assert.match(taken.stderr, /ConfigMap "shop\/settings": Apply failed with 1 conflict: conflict with "me": \.data\.colour/)
  assert.equal((await apply('--atomic -f - --field-manager you --force-conflicts', other)).code, 0)
})

test('the command says what it lacks', async () => {
  assert.match((await apply('-f shop.yaml')).stderr, /--atomic is missing/)
  assert.match((await apply('--atomic')).stderr, /-f is missing/)
  assert.match((await apply('--atomic -f nothing.yaml')).stderr, /nothing\.yaml: no such file/)
  assert.match((await apply('--atomic -f shop.yaml --context none')).stderr, /there is no context with the name "none"/)
})

test('each object leaves an audit event, with the Audit-Id of the set, that tells what became of it', async () => {
  events.length = 0
  const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: {} })
  const error: StatusError = await server
    .client()
    .applySet([configMap('a'), configMap('refused')])
    .then(
      () => assert.fail(),
      error => error
    )
  assert.equal(error.code, 403)
  const told = () => events.map(({ requestURI, verb, responseStatus }) => [requestURI.split('?')[0], verb, responseStatus.code])
  assert.deepEqual(told().sort(), [
    ['/api/v1/namespaces/default/configmaps/a', 'patch', 424],
    ['/api/v1/namespaces/default/configmaps/refused', 'patch', 403],
    ['/binnacle/v1/sets', 'post', 403]
  ])
  assert.equal(new Set(events.map(({ auditID }) => auditID)).size, 1)
  events.length = 0
  await server.client().applySet([configMap('a'), configMap('b')])
  assert.deepEqual(told().sort(), [
    ['/api/v1/namespaces/default/configmaps/a', 'patch', 201],
    ['/api/v1/namespaces/default/configmaps/b', 'patch', 201],
    ['/binnacle/v1/sets', 'post', 200]
  ])
})

test('a client that leaves in the middle of a set leaves nothing behind', async () => {
  events.length = 0
  const item = (kind: string, name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: 'default' },
    ...more
  })
  const address = '10.0.0.123'
  const service = item('Service', 'left', { spec: { clusterIP: address, ports: [{ port: 80 }] } })
  const items = [item('ConfigMap', 'left-0'), service, item('ConfigMap', 'held'), item('ConfigMap', 'left-1')]
  const left = new Promise<void>(resolve => {
    held = () => {
      // the server learns of it while it waits for the webhook
      request.destroy()
      resolve()
      return new Promise(goOn => (release = goOn))
    }
  })
  let release = () => {}
  const kubeconfig = new Map([...server.kubeconfig().matchAll(/([\w-]+-data): (\S+)/g)].map(([, name, data]) => [name, data!]))
  const data = (name: string) => Buffer.from(kubeconfig.get(`${name}-data`)!, 'base64')
  const request = https.request(`${server.url}/binnacle/v1/sets?fieldManager=me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ca: data('certificate-authority'),
    cert: data('client-certificate'),
    key: data('client-key'),
    agent: false
  })
  request.on('error', () => {})
  request.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  await left
  // the set has an audit event when it has ended
  while (!events.some(({ requestURI }) => requestURI.startsWith('/binnacle/v1/sets'))) await new Promise(setImmediate)
  release()
  const client = server.client()
  const configMaps = client.of('v1', 'ConfigMap')
  for (const name of ['left-0', 'held', 'left-1']) assert.equal(await configMaps.find(name, { namespace: 'default' }), undefined)
  // the address is free, and the same set can be written
  held = async () => {}
  await client.applySet(items)
  assert.equal((await client.of('v1', 'Service').get('left', { namespace: 'default' })).spec?.clusterIP, address)
  assert.ok(await configMaps.find('held', { namespace: 'default' }))
})

test('custom resources, with a conversion webhook and without, are part of sets', async () => {
  const definition = (group: string, conversion: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `courses.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'courses', kind: 'Course' },
      conversion,
      versions: ['v1', 'v2'].map(name => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
      }))
    }
  })
  const converter = await startWebhook(({ apiVersion, kind, request }) => ({
    apiVersion,
    kind,
    response: {
      uid: request.uid,
      result: { status: 'Success' },
      convertedObjects: request.objects.map((object: any) => ({
        ...object,
        apiVersion: request.desiredAPIVersion,
        stored: request.desiredAPIVersion
      }))
    }
  }))
  try {
    const webhook = {
      conversionReviewVersions: ['v1'],
      clientConfig: { url: converter.url, caBundle: converter.caBundle }
    }
    const client = server.client()
    await client.apply([
      definition('plain.example.com', { strategy: 'None' }),
      definition('hooked.example.com', { strategy: 'Webhook', webhook })
    ])
    const course = (group: string, version: string) => ({
      apiVersion: `${group}/${version}`,
      kind: 'Course',
      metadata: { name: `c-${version}` },
      seats: 3
    })
    const groups = ['plain.example.com', 'hooked.example.com']
    const objects = groups.flatMap(group => ['v1', 'v2'].map(version => course(group, version)))
    const { items, metadata } = await client.applySet(objects)
    assert.deepEqual([...new Set(items.map(({ object }) => object!.metadata.resourceVersion))], [metadata.resourceVersion])
    const read = await client.untyped('hooked.example.com/v1', 'Course').get('c-v2')
    assert.equal(read.seats, 3)
    assert.equal(read.metadata.resourceVersion, metadata.resourceVersion)
    const { items: changed } = await client.writeSet([
      { operation: 'patch', object: objects[2]!, patch: { seats: 4 } },
      { operation: 'delete', object: objects[0]! }
    ])
    assert.deepEqual(
      changed.map(({ result }) => result),
      ['configured', 'deleted']
    )
  } finally {
    await converter.close()
  }
})
