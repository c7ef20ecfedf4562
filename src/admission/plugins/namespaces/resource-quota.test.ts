import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { openMemoryStore } from '../../../storage/memory/store.js'
import { attempt } from '../../../testkit/admission.js'
import { silentLogger } from '../../../util/logger.js'
import { resourceQuota } from './resource-quota.js'

const quota = (hard: object, used: object | undefined, spec: object = {}) => ({
  resourcequotas: [{ metadata: { name: 'q', namespace: 'default' }, spec: { hard, ...spec }, status: { hard, used } }]
})
const pod = (cpu?: string) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources: cpu ? { requests: { cpu } } : {} }] },
  status: {}
})
const refusal = async (object: object, stored: ReturnType<typeof quota>) =>
  (await attempt(resourceQuota(), { resource: 'pods', object, stored })).refused

test('a write that would exceed a quota is refused', async () => {
  assert.equal(
    await refusal(pod('2'), quota({ 'requests.cpu': '3' }, { 'requests.cpu': '1500m' })),
    'exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=1500m, limited: requests.cpu=3'
  )
  assert.equal(
    await refusal(pod(), quota({ 'requests.cpu': '3' }, { 'requests.cpu': '0' })),
    'failed quota: q: must specify requests.cpu for: c'
  )
  assert.equal(await refusal(pod(), quota({ pods: '1' }, undefined)), 'status unknown for quota: q, resources: pods')
  const terminating = { scopes: ['Terminating'] }
  assert.equal(await refusal(pod('2'), quota({ 'requests.cpu': '1' }, { 'requests.cpu': '0' }, terminating)), undefined)
})

const nodePort = (...ports: number[]) => service('NodePort', ports)
const service = (type: string, ports: number[], more: object = {}) => ({
  metadata: { name: 's' },
  spec: { type, ports: ports.map(port => ({ port })), ...more }
})
const exceeded = (name: string, requested: string, used: string, limited: string) =>
  `exceeded quota: q, requested: ${name}=${requested}, used: ${name}=${used}, limited: ${name}=${limited}`

test('an update is charged what it adds, and not what the object used before', async () => {
  const ports = 'services.nodeports'
  const cases: readonly (readonly [before: object, after: object, hard: string, used: string, refused: string | undefined])[] = [
    [nodePort(1, 2), nodePort(1, 2), '2', '2', undefined],
    [nodePort(1, 2), nodePort(1), '2', '2', undefined],
    // also when the limit was lowered below what is used
    [nodePort(1, 2), nodePort(1, 2), '1', '2', undefined],
    [nodePort(1, 2), nodePort(1, 2, 3), '3', '2', undefined],
    [nodePort(1, 2), nodePort(1, 2, 3), '2', '2', exceeded(ports, '1', '2', '2')],
    [service('ClusterIP', [1, 2]), nodePort(1, 2), '2', '1', exceeded(ports, '2', '1', '2')],
    [service('ClusterIP', [1, 2]), nodePort(1, 2), '2', '0', undefined]
  ]
  for (const [oldObject, object, hard, used, refused] of cases) {
    const stored = quota({ services: '1', [ports]: hard }, { services: '1', [ports]: used })
    const outcome = await attempt(resourceQuota(), {
      operation: 'UPDATE',
      resource: 'services',
      object,
      oldObject,
      stored,
      dryRun: true
    })
    assert.equal(outcome.refused, refused)
  }
})

test('an object that comes into the scope of a quota is charged as a whole', async () => {
  const stored = quota({ pods: '1', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '0' }, { scopes: ['Terminating'] })
  const ending = { ...pod('1'), spec: { ...pod('1').spec, activeDeadlineSeconds: 5 } }
  const update = { operation: 'UPDATE', resource: 'pods', stored, dryRun: true } as const
  assert.equal(
    (await attempt(resourceQuota(), { ...update, object: ending, oldObject: pod('1') })).refused,
    exceeded('pods', '1', '1', '1')
  )
  assert.equal((await attempt(resourceQuota(), { ...update, object: ending, oldObject: ending })).refused, undefined)
  assert.equal((await attempt(resourceQuota(), { ...update, object: pod('1'), oldObject: ending })).refused, undefined)
})

test('a quota counts only what it limits, where its usage is known', async () => {
  const missing = 'failed quota: q: must specify limits.cpu for: c; requests.cpu for: c'
  const none = { 'requests.cpu': '0', 'limits.cpu': '0' }
  const cases: readonly (readonly [object: object, hard: object, used: object | undefined, refused: string | undefined])[] = [
    [pod('1'), { 'requests.cpu': '1' }, { 'requests.cpu': '0' }, undefined],
    [pod('1001m'), { 'requests.cpu': '1' }, { 'requests.cpu': '0' }, exceeded('requests.cpu', '1001m', '0', '1')],
    [pod('1'), { 'count/secrets': '0' }, { 'count/secrets': '0' }, undefined],
    [pod('1'), { pods: '0' }, { pods: '0' }, exceeded('pods', '1', '0', '0')],
    [pod(), { 'limits.cpu': '1', 'requests.cpu': '1' }, none, missing],
    [pod('1'), { pods: '9', 'requests.cpu': '1' }, { pods: '0' }, 'status unknown for quota: q, resources: pods,requests.cpu'],
    [pod('-1'), { 'requests.cpu': '1' }, { 'requests.cpu': '0' }, 'quota usage is negative for resource(s): cpu,requests.cpu']
  ]
  for (const [object, hard, used, refused] of cases)
    assert.equal(
      (await attempt(resourceQuota(), { resource: 'pods', object, stored: quota(hard, used), dryRun: true })).refused,
      refused
    )
  const full = quota({ pods: '0' }, { pods: '0' })
  const elsewhere = { resource: 'pods', object: pod(), dryRun: true }
  assert.equal((await attempt(resourceQuota(), { ...elsewhere, namespace: 'other', stored: full })).refused, undefined)
  assert.equal((await attempt(resourceQuota(), { ...elsewhere, subresource: 'status', stored: full })).refused, undefined)
  assert.equal((await attempt(resourceQuota(), { ...elsewhere, stored: {} })).refused, undefined)
})

test('what an object lacks for one quota is told before another quota that it exceeds', async () => {
  const quotas = (...names: string[]) =>
    names.map(name => {
      const used = name === 'full' ? { pods: '0' } : { 'requests.cpu': '0' }
      const hard = name === 'full' ? { pods: '0' } : { 'requests.cpu': '9' }
      return { metadata: { name, namespace: 'default' }, spec: { hard }, status: { hard, used } }
    })
  for (const names of [
    ['full', 'lacking'],
    ['lacking', 'full']
  ])
    assert.equal(
      (await attempt(resourceQuota(), { resource: 'pods', object: pod(), stored: { resourcequotas: quotas(...names) } })).refused,
      'failed quota: lacking: must specify requests.cpu for: c'
    )
})

test('what a status says may exceed a quota, because it has happened', async () => {
  const names = { 'requests.storage': '1Gi' }
  const claim = (storage: string) => ({
    metadata: { name: 'c' },
    spec: { resources: { requests: { storage: '1Gi' } } },
    status: { allocatedResources: { storage } }
  })
  const what = { operation: 'UPDATE', resource: 'persistentvolumeclaims', stored: quota(names, names), dryRun: true } as const
  const grow = async (subresource: string) =>
    (await attempt(resourceQuota(), { ...what, subresource, object: claim('2Gi'), oldObject: claim('1Gi') })).refused
  assert.equal(await grow('status'), undefined)
  assert.equal(await grow(''), exceeded('requests.storage', '1Gi', '1Gi', '1Gi'))
})

test('a write that a quota allows is charged to it, unless it is a dry run', async t => {
  const server = createServer({ log: silentLogger })
  await server.start()
  t.after(() => server.stop())
  const user = { name: 'admin', groups: ['system:masters'] }
  const send = async (method: string, url: string, body?: object) =>
    (await server.inject({ method, url: `/api/v1/namespaces/default/${url}`, user, ...(body ? { body } : {}) })).json() as any
  const hard = { 'count/secrets': '2' }
  const made = await send('POST', 'resourcequotas', { metadata: { name: 'q' }, spec: { hard } })
  await send('PUT', 'resourcequotas/q/status', {
    ...made,
    metadata: { name: 'q' },
    status: { hard, used: { 'count/secrets': '0' } }
  })
  await send('POST', 'secrets?dryRun=All', { metadata: { name: 'a' } })
  assert.equal((await send('GET', 'resourcequotas/q')).status.used['count/secrets'], '0')
  await send('POST', 'secrets', { metadata: { name: 'a' } })
  assert.equal((await send('GET', 'resourcequotas/q')).status.used['count/secrets'], '1')
  await send('PUT', 'secrets/a', { metadata: { name: 'a' }, stringData: { b: 'c' } })
  assert.equal((await send('GET', 'resourcequotas/q')).status.used['count/secrets'], '1')
})

/** Creates a Secret that the quotas a and b count. Another request, `meanwhile`, comes between the charges of a and of b. */
async function chargedMeanwhile(t: TestContext, meanwhile: { method: string; path: string; status?: object }) {
  const store = openMemoryStore()
  const server = createServer({ log: silentLogger, store, controllers: [] })
  await server.start()
  t.after(() => server.stop())
  const user = { name: 'admin', groups: ['system:masters'] }
  const send = async (method: string, path: string, body?: object) => {
    const answer = await server.inject({ method, url: `/api/v1/namespaces/default/${path}`, user, ...(body ? { body } : {}) })
    return { code: answer.status, body: answer.json() as any }
  }
  const secrets = (count: string) => ({ 'count/secrets': count })
  const charge = (name: string, used: string) => ({
    metadata: { name },
    spec: { hard: secrets('2') },
    status: { hard: secrets('2'), used: secrets(used) }
  })
  for (const name of ['a', 'b']) {
    await send('POST', 'resourcequotas', charge(name, '0'))
    await send('PUT', `resourcequotas/${name}/status`, charge(name, '0'))
  }
  const commit = store.commit.bind(store)
  store.commit = async (writes, caller) => {
    const result = await commit(writes, caller)
    if (writes.some(({ key }) => key.endsWith('/resourcequotas/default/a'))) {
      const { method, path, status } = meanwhile
      assert.equal((await send(method, path, status && { ...charge('b', '0'), status })).code, 200)
    }
    return result
  }
  const { code, body } = await send('POST', 'secrets', { metadata: { name: 's' } })
  const used = async (name: string) => (await send('GET', `resourcequotas/${name}`)).body.status?.used?.['count/secrets']
  return { code, message: body.message, a: await used('a'), b: await used('b') }
}

test('a quota that is deleted while others are charged does not stop the write', async t => {
  assert.deepEqual(await chargedMeanwhile(t, { method: 'DELETE', path: 'resourcequotas/b' }), {
    code: 201,
    message: undefined,
    a: '1',
    b: undefined
  })
})

test('a quota that others have charged meanwhile is charged beyond that, or refuses the write', async t => {
  const hard = { 'count/secrets': '2' }
  const change = (status: object) => chargedMeanwhile(t, { method: 'PUT', path: 'resourcequotas/b/status', status })
  const charged = (used: string) => change({ hard, used: { 'count/secrets': used } })
  assert.deepEqual(await charged('1'), { code: 201, message: undefined, a: '1', b: '2' })
  const { code, message, b } = await charged('2')
  assert.deepEqual([code, b], [403, '2'])
  assert.match(message, /exceeded quota: b, requested: count\/secrets=1, used: count\/secrets=2, limited: count\/secrets=2$/)
  const { message: unknown } = await change({ hard, used: {} })
  assert.match(unknown, /status unknown for quota: b, resources: count\/secrets$/)
  const unlimited = await change({ hard: {}, used: { 'count/secrets': '1' } })
  assert.deepEqual(unlimited, { code: 201, message: undefined, a: '1', b: '1' })
})

test('a limited resource may be used only where a quota covers it', async () => {
  const limits = [
    { group: '', resource: 'services', matchContains: ['services.nodeports'], matchScopes: [] },
    { group: '', resource: 'pods', matchContains: ['cpu'], matchScopes: [] },
    { group: 'other.example.com', resource: 'services', matchContains: ['services'], matchScopes: [] }
  ]
  const refused = async (what: object, hard?: object) => {
    const stored = hard ? quota(hard, Object.fromEntries(Object.keys(hard).map(key => [key, '0']))) : { resourcequotas: [] }
    const full = { resource: 'services', dryRun: true, stored, ...what }
    return (await attempt(resourceQuota(limits), full)).refused
  }
  const uncovered = 'insufficient quota to consume: services.nodeports'
  assert.equal(await refused({ object: nodePort(1) }), uncovered)
  assert.equal(await refused({ object: nodePort(1) }, { services: '9' }), uncovered)
  assert.equal(await refused({ object: nodePort(1) }, { 'services.nodeports': '9' }), undefined)
  assert.equal(await refused({ object: service('ClusterIP', [1]) }), undefined)
  assert.equal(await refused({ resource: 'pods', object: pod('1') }), 'insufficient quota to consume: cpu,requests.cpu')
  const update = { operation: 'UPDATE' as const, oldObject: nodePort(1) }
  assert.equal(await refused({ ...update, object: nodePort(1) }), undefined)
  assert.equal(await refused({ ...update, object: nodePort(1, 2) }), uncovered)
  // a Pod that comes into the scope of a quota uses all of itself anew
  const ending = { ...pod('1'), spec: { ...pod('1').spec, activeDeadlineSeconds: 5 } }
  const scoped = quota({ 'requests.cpu': '9' }, { 'requests.cpu': '0' }, { scopes: ['Terminating'] })
  const change = { operation: 'UPDATE' as const, resource: 'pods', stored: scoped, object: ending }
  assert.equal(await refused({ ...change, oldObject: pod('1') }), 'insufficient quota to consume: cpu')
  assert.equal(await refused({ ...change, subresource: 'resize', oldObject: ending }), undefined)
})

test('an object in a limited scope needs a quota with this scope', async () => {
  const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['high', 'top'] }
  const limits = [{ group: '', resource: 'pods', matchContains: [], matchScopes: [scope] }]
  const urgent = (priorityClassName: string) => ({ ...pod('1'), spec: { ...pod('1').spec, priorityClassName } })
  const refused = async (object: object, stored: object) =>
    (await attempt(resourceQuota(limits), { resource: 'pods', dryRun: true, object, stored: stored as never })).refused
  const missing = 'insufficient quota to match these scopes: [{PriorityClass In [high top]}]'
  assert.equal(await refused(urgent('high'), { resourcequotas: [] }), missing)
  assert.equal(await refused(urgent('low'), { resourcequotas: [] }), undefined)
  const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] }
  const scoped = quota({ pods: '9' }, { pods: '0' }, { scopeSelector })
  assert.equal(await refused(urgent('high'), scoped), undefined)
  assert.equal(await refused(urgent('top'), scoped), missing)
})
