/** The core group in a whole server, without a socket. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'

const user = { name: 'tester', groups: ['system:masters'] }
let server: BinnacleServer

before(async () => {
  server = createServer({ log: { info() {}, warn() {}, error() {} } as never })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(server, method, url, body, { headers })

async function namespace(name: string): Promise<string> {
  await ask('POST', '/api/v1/namespaces', { metadata: { name } })
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`
  while ((await ask('GET', account)).status === 404) await new Promise(setImmediate)
  return `/api/v1/namespaces/${name}`
}

const podBody = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec }
})

test('a Pod gets an account, its token, a priority and tolerations', async () => {
  const at = await namespace('defaults')
  const { status, body } = await ask('POST', `${at}/pods`, podBody('p'))
  assert.equal(status, 201)
  assert.equal(body.spec.serviceAccountName, 'default')
  assert.match(body.spec.volumes[0].name, /^kube-api-access-\w{5}$/)
  assert.deepEqual(body.spec.containers[0].volumeMounts, [
    { name: body.spec.volumes[0].name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }
  ])
  assert.equal(body.spec.priority, 0)
  assert.equal(body.spec.tolerations.length, 2)
  assert.deepEqual(body.status, { phase: 'Pending', qosClass: 'BestEffort' })
})

test('a Pod of an account that does not exist is refused', async () => {
  const at = await namespace('ghosts')
  const { status, body } = await ask('POST', `${at}/pods`, podBody('p', { serviceAccountName: 'ghost' }))
  assert.equal(status, 403)
  assert.equal(
    body.message,
    'pods "p" is forbidden: error looking up service account ghosts/ghost: serviceaccount "ghost" not found'
  )
})

test('a generated namespace has its name as a label, and a wrong one is wrong for its name alone', async () => {
  const make = (metadata: object) => ask('POST', '/api/v1/namespaces', { metadata })
  const { metadata } = (await make({ generateName: 'made-' })).body
  assert.equal(metadata.labels['kubernetes.io/metadata.name'], metadata.name)
  const fieldsOf = async (metadata: object) => (await make(metadata)).body.details.causes.map(({ field }: any) => field)
  assert.deepEqual(await fieldsOf({ generateName: 'a/b' }), ['metadata.generateName', 'metadata.name'])
  assert.deepEqual(await fieldsOf({ name: 'a/b' }), ['metadata.name', 'metadata.labels'])
})

test('objects cannot be created in a namespace that does not exist', async () => {
  const { status, body } = await ask('POST', '/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'c' } })
  assert.deepEqual([status, body.message], [404, 'namespaces "nowhere" not found'])
})

test('a bound Pod shuts down gracefully, and cannot be bound again', async () => {
  const at = await namespace('binding')
  await ask('POST', `${at}/pods`, podBody('p'))
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } }
  for (const kind of ['Node', '']) {
    const odd = await ask('POST', `${at}/pods/p/binding`, { ...binding, target: { kind, name: 'A b' } })
    assert.equal(odd.status, 500)
    assert.match(odd.body.message, /^target\.name: Invalid value: "A b": a lowercase RFC 1123 subdomain must consist of/)
  }
  assert.equal((await ask('POST', `${at}/pods/p/binding`, binding)).status, 201)
  const again = await ask('POST', `${at}/bindings`, binding)
  assert.deepEqual(
    [again.status, again.body.message],
    [409, 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"']
  )
  const deleted = await ask('DELETE', `${at}/pods/p`)
  assert.equal(deleted.body.metadata.deletionGracePeriodSeconds, 30)
  assert.equal((await ask('DELETE', `${at}/pods/p?gracePeriodSeconds=0`)).status, 200)
  assert.equal((await ask('GET', `${at}/pods/p`)).status, 404)
})

test('a disruption budget without allowed disruptions refuses an eviction', async () => {
  const at = await namespace('evictions')
  await ask('POST', `${at}/pods`, { ...podBody('p', { nodeName: 'n' }), metadata: { name: 'p', labels: { a: 'b' } } })
  await ask('PATCH', `${at}/pods/p/status`, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } })
  await ask('POST', '/apis/policy/v1/namespaces/evictions/poddisruptionbudgets', {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } }
  })
  await ask('PATCH', '/apis/policy/v1/namespaces/evictions/poddisruptionbudgets/b/status', {
    status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
  })
  const evict = () => ask('POST', `${at}/pods/p/eviction`, { metadata: { name: 'p' } })
  const refused = await evict()
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.body.details.causes, [
    { reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 1 currently' }
  ])
  await ask('PATCH', '/apis/policy/v1/namespaces/evictions/poddisruptionbudgets/b/status', { status: { disruptionsAllowed: 1 } })
  assert.equal((await evict()).status, 201)
})

test('defaults of a LimitRange take any key', async () => {
  const at = await namespace('limits')
  const limits = [{ type: 'Container', max: JSON.parse('{"__proto__":"1"}') }]
  const { body } = await ask('POST', `${at}/limitranges`, { metadata: { name: 'l' }, spec: { limits } })
  const fields = new Set(body.details.causes.map(({ field }: { field: string }) => field))
  assert.deepEqual(fields, new Set(['max', 'default', 'defaultRequest'].map(field => `spec.limits[0].${field}[__proto__]`)))
})

test('a LimitRange without a name is named by a uid; a Service needs one for its address', async () => {
  const at = await namespace('nameless')
  const made = await ask('POST', `${at}/limitranges`, { metadata: {}, spec: { limits: [] } })
  assert.equal(made.status, 201)
  assert.match(made.body.metadata.name, /^[\da-f]{8}-[\da-f-]{27}$/)
  const refused = async (spec: object, query = '') =>
    (await ask('POST', `${at}/services${query}`, { spec: { ...spec, ports: [{ port: 80 }] } })).body.message
  const required = 'is invalid: spec.parentRef.name: Required value'
  const address = { clusterIP: '10.0.0.201' }
  const wanted = `failed to allocate IP 10.0.0.201: IPAddress.networking.k8s.io "10.0.0.201" ${required}`
  assert.equal(await refused(address), `Service "" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.201"]: ${wanted}`)
  assert.match(
    await refused({}),
    /: Invalid value: \[""\]: failed to allocate IP: IPAddress\.networking\.k8s\.io "10\.[\d.]+" is invalid: spec/
  )
  // the range has 254 addresses
  for (let i = 0; i < 300; i++) assert.match(await refused({}), /spec\.parentRef\.name: Required value$/)
  assert.match(await refused(address, '?dryRun=All'), /metadata.name: Required value: name or generateName is required$/)
  const slash = await ask('POST', `${at}/services`, { metadata: { name: '/a' }, spec: { ...address, ports: [{ port: 80 }] } })
  assert.match(slash.body.message, /"10.0.0.201" is invalid: spec.parentRef.name: Invalid value: "\/a": may not contain '\/'$/)
  const named = { metadata: { name: 'a' }, spec: { ...address, ports: [{ port: 80 }] } }
  assert.equal((await ask('POST', `${at}/services`, named)).status, 201)
})

test('addresses are compared with the families, unless the list says that there is none', async () => {
  const at = await namespace('headless')
  const spec = { clusterIP: 'None', selector: { a: 'b' }, ports: [{ port: 80 }] }
  const made = await ask('POST', `${at}/services`, { metadata: { name: 'h' }, spec })
  assert.deepEqual(made.body.spec.ipFamilies, ['IPv4'])
  const { body } = await ask('PATCH', `${at}/services/h`, { spec: { clusterIPs: ['2001:db8::1'] } })
  assert.deepEqual(
    body.details.causes.map(({ message }: { message: string }) => message),
    [
      'Invalid value: ["2001:db8::1"]: first value must match `clusterIP`',
      'Invalid value: "2001:db8::1": expected an IPv4 value as indicated by `ipFamilies[0]`'
    ]
  )
})

test('an address is free again when its Service was refused or deleted', async () => {
  const at = await namespace('addresses')
  const service = (name: string, port: number) => ({ metadata: { name }, spec: { clusterIP: '10.0.0.200', ports: [{ port }] } })
  assert.equal((await ask('POST', `${at}/services`, service('a', 70000))).status, 422)
  assert.equal((await ask('POST', `${at}/services`, service('a', 80))).status, 201)
  const taken = await ask('POST', `${at}/services`, service('b', 80))
  assert.equal(
    taken.body.message,
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.200"]: failed to allocate IP 10.0.0.200: provided IP is already allocated'
  )
  await ask('DELETE', `${at}/services/a`)
  assert.equal((await ask('POST', `${at}/services`, service('b', 80))).status, 201)
})

test('a Namespace without finalizers is shown by its deletion, and at its end', async () => {
  const path = await namespace('unheld')
  const object = { metadata: { name: 'unheld' }, spec: { finalizers: [] } }
  const finalized = await ask('PUT', `${path}/finalize`, object)
  assert.equal(finalized.status, 200)
  for (const _ of ['begins', 'ends']) {
    const { body } = await ask('DELETE', path)
    assert.deepEqual([body.kind, body.status?.phase], ['Namespace', 'Terminating'])
  }
  assert.equal((await ask('GET', path)).status, 404)
})

test('Services of all types get addresses and ports of their own', async () => {
  const at = await namespace('services')
  const made = await Promise.all(
    ['a', 'b', 'c'].map(name =>
      ask('POST', `${at}/services`, { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } })
    )
  )
  assert.equal(new Set(made.map(m => m.body.spec.clusterIP)).size, 3)
  assert.equal(new Set(made.map(m => m.body.spec.ports[0].nodePort)).size, 3)
  const external = await ask('PUT', `${at}/services/a`, {
    metadata: { name: 'a' },
    spec: { type: 'ExternalName', externalName: 'example.com' }
  })
  assert.deepEqual([external.status, external.body.spec.clusterIP], [200, undefined])
})

test('an Event of either group can be read through the other', async () => {
  const at = await namespace('events')
  await ask('POST', `${at}/events`, {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'events' },
    message: 'm',
    reason: 'R',
    count: 2
  })
  const { body } = await ask('GET', '/apis/events.k8s.io/v1/namespaces/events/events/e')
  assert.deepEqual([body.apiVersion, body.note, body.regarding.name, body.deprecatedCount], ['events.k8s.io/v1', 'm', 'p', 2])
})

test('a token has its account, audience and Pod', async () => {
  const at = await namespace('tokens')
  const pod = await ask('POST', `${at}/pods`, podBody('p'))
  const { status, body } = await ask('POST', `${at}/serviceaccounts/default/token`, {
    spec: { audiences: ['vault'], expirationSeconds: 600, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } }
  })
  assert.equal(status, 201)
  const claims = JSON.parse(Buffer.from(body.status.token.split('.')[1], 'base64url').toString())
  assert.deepEqual([claims.aud, claims.sub, claims.exp - claims.iat], [['vault'], 'system:serviceaccount:tokens:default', 600])
  assert.equal(claims['kubernetes.io'].pod.uid, pod.body.metadata.uid)
})

test('a request for a token names owners once, and binds it to no object of an impossible version', async () => {
  const at = await namespace('token-requests')
  const request = (metadata: object, apiVersion = '') =>
    ask('POST', `${at}/serviceaccounts/default/token`, {
      metadata,
      spec: { audiences: ['vault'], ...(apiVersion && { boundObjectRef: { apiVersion } }) }
    })
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }
  assert.equal((await request({ ownerReferences: [owner, owner] })).body.metadata.ownerReferences.length, 1)
  const refused = async (apiVersion: string) => (await request({}, apiVersion)).body.message
  assert.equal(await refused('a/v1'), 'cannot bind token to object of type a/v1, Kind=')
  assert.equal(await refused('a/b/c'), 'cannot bind token to object of type /, Kind=')
})

test('a token is bound to an object with a name', async () => {
  const at = await namespace('nameless')
  const refused = async (name?: string) => {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name }
    return (await ask('POST', `${at}/serviceaccounts/default/token`, { spec: { boundObjectRef } })).body.message
  }
  assert.equal(await refused(), 'Name parameter required.')
  assert.equal(await refused('a/b'), 'Name parameter invalid: "a/b": may not contain \'/\'')
  assert.equal(await refused('absent'), 'pods "absent" not found')
})

test("a node's annotation about Pods to avoid is JSON in which every entry names a controller", async () => {
  const key = 'scheduler.alpha.kubernetes.io/preferAvoidPods'
  const make = (value: string) =>
    ask('POST', '/api/v1/nodes?dryRun=All', { metadata: { name: 'n', annotations: { [key]: value } } })
  const problem = async (value: string) =>
    (await make(value)).body.message?.replace(/^.* is invalid: metadata\.annotations\./, '')
  const controller = { apiVersion: 'v1', kind: 'ReplicationController', name: 'rc', uid: 'u', controller: true }
  const entry = (podController?: object) => ({ podSignature: { podController } })
  assert.equal((await make(JSON.stringify({ preferAvoidPods: [entry(controller)] }))).status, 201)
  assert.equal(await problem('{'), `AvoidPods: Invalid value: "${key}": unexpected end of JSON input`)
  assert.equal(await problem(JSON.stringify({ preferAvoidPods: [entry()] })), `${key}[0].PodSignature: Required value`)
  assert.equal(
    await problem(JSON.stringify({ preferAvoidPods: [entry({ ...controller, controller: false })] })),
    `${key}[0].PodSignature.PodController.Controller: Invalid value: false: must point to a controller`
  )
})

test('a PersistentVolume is warned about old labels of nodes, and may not recycle the root', async () => {
  const hostPath = (path: string) => ({
    metadata: { name: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }] }
      },
      persistentVolumeReclaimPolicy: 'Recycle'
    }
  })
  const url = '/api/v1/persistentvolumes?dryRun=All'
  const { status, headers } = await server.inject({ method: 'POST', url, user, body: hostPath('/data') })
  assert.equal(status, 201)
  assert.match(
    String(headers.warning),
    /nodeSelectorTerms\[0\]\.matchExpressions\[0\]\.key: beta\.kubernetes\.io\/os is deprecated since v1\.14/
  )
  const { hostPath: _, ...spec } = hostPath('/data').spec
  const metadata = { name: 'v', annotations: { 'volume.beta.kubernetes.io/mount-options': 'hard' } }
  const body = { metadata, spec: { ...spec, nfs: { server: 's', path: '/' } } }
  const annotated = await server.inject({ method: 'POST', url, user, body })
  assert.match(
    String(annotated.headers.warning),
    /mount-options\]: deprecated since v1\.31; use .+mountOptions.+ attribute instead/
  )
  for (const root of ['/', '//', '/a/..', '/./'])
    assert.match((await ask('POST', url, hostPath(root))).body.message, /may not be 'recycle' for a hostPath mount of '\/'/)
})

test('the namespace of an Azure file share may be missing, but not empty', async () => {
  const volume = (azureFile: object) => ({
    metadata: { name: 'az' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      azureFile: { secretName: 's', shareName: 'f', ...azureFile }
    }
  })
  const url = '/api/v1/persistentvolumes?dryRun=All'
  assert.equal((await ask('POST', url, volume({}))).status, 201)
  assert.match(
    (await ask('POST', url, volume({ secretNamespace: '' }))).body.message,
    /spec\.azureFile\.secretNamespace: Required value$/
  )
})

test('a search domain is named in errors without its last dot', async () => {
  const at = await namespace('searches')
  const searching = (...searches: string[]) => ask('POST', `${at}/pods?dryRun=All`, podBody('p', { dnsConfig: { searches } }))
  assert.equal((await searching('.', 'a.example.')).status, 201)
  assert.match((await searching('..')).body.message, /searches\[0\]: Invalid value: "\.": a lowercase/)
})

test("a gated Pod's node affinity may only be narrowed down, term by term", async () => {
  const at = await namespace('gated')
  const term = (value: string) => ({ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] })
  const gated = (...nodeSelectorTerms: object[]) =>
    podBody('p', {
      schedulingGates: [{ name: 'example.com/g' }],
      automountServiceAccountToken: false,
      affinity: {
        nodeAffinity:
          nodeSelectorTerms.length > 0 ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } : {}
      }
    })
  assert.equal((await ask('POST', `${at}/pods`, gated(term('x')))).status, 201)
  const update = async (...terms: object[]) => (await ask('PUT', `${at}/pods/p`, gated(...terms))).body.message
  assert.match(await update(), /Terms: Invalid value: null: no additions\/deletions to non-empty NodeSelectorTerms/)
  assert.match(
    await update(term('y')),
    /Terms\[0\]: Invalid value: \{"MatchExpressions":\[\{"Key":"a","Operator":"In","Values":\["y"\]\}\],"MatchFields":null\}: only additions/
  )
})

test('a Pod without resources of its own may get some by a resize', async () => {
  const at = await namespace('resized')
  const resources = { limits: { cpu: '200m' } }
  const body = podBody('p', { containers: [{ name: 'c', image: 'i', resources }], automountServiceAccountToken: false })
  assert.equal((await ask('POST', `${at}/pods`, body)).status, 201)
  const resize = (resources: object) => ask('PATCH', `${at}/pods/p/resize`, { spec: { resources } })
  const refused = await resize({ limits: { cpu: '1', 'hugepages-2Mi': '2Mi' } })
  assert.match(refused.body.message, /only cpu and memory resources are mutable at pod-level/)
  const { status, body: resized } = await resize({ limits: { cpu: '1' } })
  assert.equal(status, 200, resized.message)
  assert.deepEqual(resized.spec.resources, { limits: { cpu: '1' }, requests: { cpu: '200m' } })
})

test('a container with claims may be resized, but not its claims', async () => {
  const at = await namespace('claimed')
  const resources = { requests: { cpu: '1' }, claims: [{ name: 'k' }] }
  const spec = { containers: [{ name: 'c', image: 'i', resources }], resourceClaims: [{ name: 'k', resourceClaimName: 'rc' }] }
  const created = await ask('POST', `${at}/pods`, podBody('p', { ...spec, automountServiceAccountToken: false }))
  assert.equal(created.status, 201, created.body.message)
  const resize = (changes: object) =>
    ask('PATCH', `${at}/pods/p/resize`, {
      spec: { containers: [{ ...spec.containers[0], resources: { ...resources, ...changes } }] }
    })
  const { status, body } = await resize({ requests: { cpu: '2' } })
  assert.equal(status, 200, body.message)
  assert.deepEqual(body.spec.containers[0].resources, { ...resources, requests: { cpu: '2' } })
  assert.match((await resize({ claims: [] })).body.message, /only cpu and memory resources are mutable/)
})

test('amounts of storage are compared as whole numbers', async () => {
  const at = await namespace('amounts')
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await ask('POST', `${at}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec })
  const capacity = async (storage: string) =>
    (await ask('PATCH', `${at}/persistentvolumeclaims/c/status?dryRun=All`, { status: { capacity: { storage } } })).body.message
  assert.match(await capacity('-10G'), /capacity\[storage\]: Invalid value: -10000000000: must be a valid resource quantity/)
  assert.match(await capacity('-1m'), /Invalid value: -1: must be/)
})

test('a quota is validated before the changes of its scopes', async () => {
  const at = await namespace('scopes')
  await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { scopes: ['BestEffort'] } })
  const { body } = await ask('PUT', `${at}/resourcequotas/q`, { metadata: { name: 'q' }, spec: { scopes: ['Odd'] } })
  assert.deepEqual(
    body.details.causes.map((cause: any) => cause.message),
    ['Invalid value: ["Odd"]: unsupported scope', 'Invalid value: ["Odd"]: field is immutable']
  )
})

test('what is wrong with a quota is said once, however many scopes show it', async () => {
  const at = await namespace('many-scopes')
  await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { scopes: ['BestEffort'] } })
  const scopes = Array.from({ length: 1001 }, (_, i) => `Odd${i}`)
  const causes = async (method: string, url: string) => {
    const { body } = await ask(method, url, { metadata: { name: 'q' }, spec: { scopes } })
    return body.details.causes.map(({ message }: any) => message.replace(/.*\]: /, ''))
  }
  assert.deepEqual(await causes('POST', `${at}/resourcequotas`), ['unsupported scope'])
  assert.deepEqual(await causes('PUT', `${at}/resourcequotas/q`), ['unsupported scope', 'field is immutable'])
})

test('the Pods of a namespace end first, and the rest stays until they have', async () => {
  const at = await namespace('ordered')
  const bound = (name: string, more: object = {}) => ({
    ...podBody(name, { nodeName: 'n', automountServiceAccountToken: false }),
    ...more
  })
  assert.equal((await ask('POST', `${at}/pods`, bound('p'))).status, 201)
  await ask('POST', `${at}/configmaps`, { metadata: { name: 'c' } })
  await ask('DELETE', at)
  const conditions = async () =>
    ((await ask('GET', at)).body.status.conditions ?? []) as { type: string; status: string; message: string }[]
  while ((await conditions()).length === 0) await new Promise(setImmediate)
  assert.deepEqual(
    (await conditions()).map(c => c.status),
    ['False', 'False', 'False', 'False', 'False']
  )
  assert.equal((await ask('GET', `${at}/configmaps/c`)).body.metadata.deletionTimestamp, undefined)
  await ask('DELETE', `${at}/pods/p?gracePeriodSeconds=0`)
  while ((await ask('GET', at)).status !== 404) await new Promise(setImmediate)
})

test('a namespace says which Pods should have ended by now', async () => {
  const at = await namespace('late')
  const spec = { nodeName: 'n', terminationGracePeriodSeconds: 1, automountServiceAccountToken: false }
  await ask('POST', `${at}/pods`, podBody('p', spec))
  await ask('DELETE', at)
  const failure = async () =>
    (await ask('GET', at)).body.status.conditions?.find((c: any) => c.type === 'NamespaceDeletionContentFailure')
  while ((await failure())?.status !== 'True') await new Promise(setImmediate)
  assert.equal(
    (await failure()).message,
    'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: late for gvr: /v1, Resource=pods'
  )
})

test('a new ReplicationController whose name is no label brings a warning', async () => {
  const spec = {
    selector: { a: 'b' },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  }
  const warning = async (name: string) => {
    const url = '/api/v1/namespaces/default/replicationcontrollers?dryRun=All'
    const { headers } = await server.inject({ method: 'POST', url, user, body: { metadata: { name }, spec } })
    return headers.warning
  }
  assert.equal(await warning('a'), undefined)
  assert.match(String(await warning('1.a')), /metadata\.name: this is used in Pod names .*: \[must not contain dots\]/)
})
