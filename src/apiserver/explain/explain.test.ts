/** Explanations of a whole server: what they say, and what they keep to themselves. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'
import type { Schema } from '../own-paths/own-document.js'
import {
  accessAnswer,
  admissionAnswer,
  deletionAnswer,
  expressionsAnswer,
  fieldsAnswer,
  requestsAnswer,
  subjectsAnswer
} from './answers.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const alice = { name: 'alice', groups: ['system:authenticated'] }
const auditor = { name: 'auditor', groups: ['system:authenticated'] }
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const roleRef = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name })
const toUser = (name: string) => [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }]

let server: BinnacleServer

const send = (url: string, body: unknown, user = admin, more: object = {}) => server.inject({ url, body, user, ...more })
async function create(url: string, body: unknown, user = admin): Promise<any> {
  const answer = await send(url, body, user)
  assert.equal(answer.status, 201, answer.body.toString())
  return answer.json()
}
async function explain(question: string, body: unknown, user = admin): Promise<any> {
  const answer = await send(`/binnacle/v1/explain/${question}`, body, user)
  assert.equal(answer.status, 200, answer.body.toString())
  const explained = answer.json()
  assert.deepEqual(differences(explained, answers[question]!, question), [])
  return explained
}
const answers: Record<string, Schema> = {
  access: accessAnswer,
  subjects: subjectsAnswer,
  deletion: deletionAnswer,
  fields: fieldsAnswer,
  admission: admissionAnswer,
  expressions: expressionsAnswer
}

/** Where an answer is not as the document says. */
function differences(
  value: any,
  { type, properties, required = [], additionalProperties, items, enum: values }: Schema,
  at: string
): string[] {
  const is = Array.isArray(value) ? 'array' : typeof value
  if (type && is !== type) return [`${at} is ${is}, and not ${type}`]
  if (values && !values.includes(value)) return [`${at} is ${value}`]
  if (type === 'array') return value.flatMap((item: any, i: number) => (items ? differences(item, items, `${at}[${i}]`) : []))
  if (type !== 'object') return []
  const missing = required.filter(name => !(name in value)).map(name => `${at}.${name} is missing`)
  const others = Object.keys(value).flatMap(name => {
    const property = properties?.[name]
    if (property) return differences(value[name], property, `${at}.${name}`)
    return additionalProperties === false ? [`${at}.${name} is not described`] : []
  })
  return [...missing, ...others]
}
async function refused(question: string, body: unknown, user: typeof admin, code: number): Promise<any> {
  const answer = await send(`/binnacle/v1/explain/${question}`, body, user)
  assert.equal(answer.status, code, answer.body.toString())
  const status = answer.json()
  assert.equal(status.kind, 'Status')
  return status
}

before(async () => {
  server = createServer({ log: silentLogger, listen: false, recorder: true })
  await server.start()
  await create('/api/v1/namespaces', { metadata: { name: 'x' } })
  await create(`${rbac}/clusterroles`, {
    metadata: { name: 'explainer' },
    rules: [{ verbs: ['post', 'get'], nonResourceURLs: ['/binnacle/v1/explain/*'] }]
  })
  await create(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'explainers' },
    roleRef: roleRef('ClusterRole', 'explainer'),
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }]
  })
  await create(`${rbac}/namespaces/x/roles`, {
    metadata: { name: 'hidden-writer' },
    rules: [{ verbs: ['create', 'delete'], apiGroups: [''], resources: ['pods'] }]
  })
  await create(`${rbac}/namespaces/x/roles`, {
    metadata: { name: 'map-reader' },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'] }]
  })
  await create(`${rbac}/namespaces/x/rolebindings`, {
    metadata: { name: 'alice-reads' },
    roleRef: roleRef('Role', 'map-reader'),
    subjects: toUser('alice')
  })
  // reads roles and bindings, and may not ask about others
  await create(`${rbac}/clusterroles`, {
    metadata: { name: 'rbac-reader' },
    rules: [{ verbs: ['get', 'list'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'] }]
  })
  await create(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'auditor' },
    roleRef: roleRef('ClusterRole', 'rbac-reader'),
    subjects: toUser('auditor')
  })
})
after(() => server.stop())

describe('requests', () => {
  const list = async (query: string, user = admin) => {
    const answer = await server.inject({ url: `/binnacle/v1/explain/requests${query}`, user })
    return { status: answer.status, ...answer.json() }
  }

  test('are listed from a number on, with their user, status and time', async () => {
    const before = await list('?limit=0')
    assert.deepEqual(before.requests, [])
    await server.inject({ url: '/api/v1/namespaces/x/configmaps/none', user: alice })
    const { requests, last } = await list(`?since=${before.last}`)
    // that list itself is among them, and this one
    const [asked] = requests.filter(({ user }: any) => user === 'alice')
    assert.deepEqual(
      [asked.method, asked.resource, asked.namespace, asked.name, asked.status],
      ['GET', 'configmaps', 'x', 'none', 403]
    )
    assert.equal(asked.isOpen, false)
    assert.ok(asked.milliseconds >= 0 && last > asked.number)
    const numbers = requests.map(({ number }: any) => number)
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b)
    )
    assert.equal((await list(`?limit=1`)).requests[0].number, last + 1, 'the newest: the list itself')
  })

  test('of others are told to those who may ask about them', async () => {
    await server.inject({ url: '/version', user: admin })
    const { status, requests } = await list('', alice)
    assert.equal(status, 200)
    assert.deepEqual([...new Set(requests.map(({ user }: any) => user))], ['alice'])
  })

  test('are as the document says, and bad parameters are named', async () => {
    assert.equal((await list('?since=-1')).code, 422)
    assert.match((await list('?limit=x')).message, /limit/)
    assert.match((await list('?number=1')).message, /since, limit/)
    const { status, headers } = await server.inject({ method: 'POST', url: '/binnacle/v1/explain/requests', user: admin })
    assert.deepEqual([status, headers.allow], [405, 'GET'])
    const { status: _, ...answer } = await list('')
    assert.deepEqual(differences(answer, requestsAnswer, 'requests'), [])
  })
})

describe('access', () => {
  test('of a member of system:masters is decided before any authorizer', async () => {
    const { allowed, decidedBy, grants, remedy } = await explain('access', { verb: 'create', resource: 'pods', namespace: 'x' })
    assert.deepEqual([allowed, decidedBy, remedy], [true, 'system:masters', undefined])
    assert.ok(Array.isArray(grants))
  })

  test('names the binding, the role and the rule that allow it', async () => {
    const { allowed, decidedBy, grants, reason } = await explain('access', {
      ...{ user: 'alice', verb: 'get', resource: 'cm', namespace: 'x', name: 'one' }
    })
    assert.equal(allowed, true)
    assert.equal(decidedBy, 'rbac')
    assert.match(reason, /RoleBinding "alice-reads\/x" of Role "map-reader" to User "alice"/)
    assert.deepEqual(grants, [
      {
        binding: { kind: 'RoleBinding', namespace: 'x', name: 'alice-reads' },
        subject: { kind: 'User', name: 'alice' },
        role: { kind: 'Role', namespace: 'x', name: 'map-reader' },
        rule: { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'] }
      }
    ])
  })

  test('that is refused comes with the smallest role, which does allow it, and with the roles that hold it', async () => {
    const question = { user: 'alice', verb: 'create', resource: 'pods', namespace: 'x' }
    const { allowed, decidedBy, remedy, holders, authorizers } = await explain('access', question)
    assert.equal(allowed, false)
    assert.equal(decidedBy, undefined)
    assert.deepEqual(
      authorizers.map((a: any) => [a.type, a.opinion]),
      [
        ['Privileged', 'no opinion'],
        ['Node', 'no opinion'],
        ['RBAC', 'no opinion']
      ]
    )
    assert.deepEqual(remedy.rule, { verbs: ['create'], apiGroups: [''], resources: ['pods'] })
    assert.match(remedy.yaml, /kind: RoleBinding/)
    const names = holders.map((h: any) => h.role.name)
    assert.equal(names[0], 'hidden-writer')
    assert.equal(
      names.findLast((name: string) => !name.startsWith('system:')),
      'cluster-admin'
    )
    assert.match(names.at(-1), /^system:/)
    // an aggregated role says from which one it has the rule
    assert.deepEqual(holders.find((h: any) => h.role.name === 'edit').aggregatedFrom, ['system:aggregate-to-edit'])
    const [role, binding] = remedy.objects
    const made = { user: 'bob', verb: 'delete', resource: 'pods', namespace: 'x', name: 'a' }
    const forBob = (await explain('access', made)).remedy.objects
    await create(`${rbac}/namespaces/x/roles`, forBob[0])
    await create(`${rbac}/namespaces/x/rolebindings`, forBob[1])
    assert.equal((await explain('access', made)).allowed, true)
    assert.equal((await explain('access', { ...made, name: 'b' })).allowed, false)
    assert.ok(role.metadata.name && binding.metadata.name)
  })

  test('hints at names that do not exist, and at namespaces that are missing', async () => {
    assert.match((await explain('access', { verb: 'get', resource: 'deploymets' })).hint, /did you mean deployments\?/)
    assert.match((await explain('access', { verb: 'list', resource: 'pods' })).hint, /in namespaces/)
  })

  test('of a path outside the API', async () => {
    const { allowed, grants } = await explain('access', { user: 'alice', verb: 'get', path: '/healthz' })
    assert.equal(allowed, true)
    assert.ok(grants.some(({ role }: any) => role.name === 'system:public-info-viewer'))
    const { remedy } = await explain('access', { user: 'alice', verb: 'get', path: '/metrics' })
    assert.deepEqual(remedy.rule, { verbs: ['get'], nonResourceURLs: ['/metrics'] })
    assert.equal(remedy.objects[1].kind, 'ClusterRoleBinding')
  })
})

test('without RBAC, access is explained by the authorizers that there are, and by no role', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-abac-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const policy = (spec: object) =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec })
  const authorizationPolicyFile = join(directory, 'policies')
  writeFileSync(
    authorizationPolicyFile,
    [
      policy({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*', readonly: true, nonResourcePath: '*' }),
      policy({ user: 'poster', nonResourcePath: '*' }),
      policy({ user: 'poster', resource: 'selfsubjectaccessreviews', apiGroup: '*' })
    ].join('\n')
  )
  const other = createServer({ log: silentLogger, listen: false, authorizationMode: ['ABAC'], authorizationPolicyFile })
  await other.start()
  t.after(() => other.stop())
  const ask = async (body: object, user = admin) =>
    (await other.inject({ url: '/binnacle/v1/explain/access', body, user })).json()
  const { allowed, decidedBy, authorizers } = await ask({ user: 'alice', verb: 'get', resource: 'pods', namespace: 'x' })
  assert.deepEqual([allowed, decidedBy, authorizers.at(-1).details.policy.line], [true, 'abac', 1])
  const refusal = await ask({ user: 'alice', verb: 'create', resource: 'pods', namespace: 'x' })
  assert.deepEqual([refusal.allowed, refusal.remedy, refusal.grants], [false, undefined, []])
  assert.match(refusal.noRemedy, /RBAC is not among its authorizers/)
  // the file is shown to those who may ask about others alone
  const own = await ask({ verb: 'get', path: '/metrics' }, { name: 'poster', groups: [] })
  assert.deepEqual([own.allowed, own.authorizers.at(-1).details], [true, undefined])
})

describe('a user who may not read roles', () => {
  test('is told about the own request without roles and bindings', async () => {
    const text = JSON.stringify(await explain('access', { verb: 'create', resource: 'pods', namespace: 'x' }, alice))
    const { allowed, grants, holders, unreadable, remedy } = JSON.parse(text)
    assert.deepEqual([allowed, grants, holders], [false, [], []])
    assert.deepEqual(unreadable, ['clusterroles', 'clusterrolebindings', 'roles in x', 'rolebindings in x'])
    assert.ok(remedy.yaml)
    for (const secret of ['hidden-writer', 'cluster-admin', 'system:aggregate-to-edit', 'auditor'])
      assert.ok(!text.includes(secret), secret)
  })

  test('cannot ask about another user, nor with other groups', async () => {
    const question = { verb: 'get', resource: 'secrets', namespace: 'x' }
    assert.match(
      (await refused('access', { ...question, user: 'bob' }, alice, 403)).message,
      /cannot create resource "subjectaccessreviews"/
    )
    await refused('access', { ...question, groups: ['system:masters'] }, alice, 403)
    await refused('access', { ...question, user: 'alice', groups: ['system:masters'] }, alice, 403)
    // may list roles, and still not ask about others
    await refused('access', { ...question, user: 'bob' }, auditor, 403)
  })

  test('is not told which resources there are, without permission for discovery', async () => {
    const eve = { name: 'eve', groups: [] as string[] }
    await create(`${rbac}/clusterroles`, {
      metadata: { name: 'only-explains' },
      rules: [
        { verbs: ['post'], nonResourceURLs: ['/binnacle/v1/explain/*'] },
        { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'] }
      ]
    })
    await create(`${rbac}/clusterrolebindings`, {
      ...{ metadata: { name: 'eve' }, roleRef: roleRef('ClusterRole', 'only-explains'), subjects: toUser('eve') }
    })
    for (const resource of ['pods', 'pots']) {
      const { question, hint } = await explain('access', { verb: 'list', resource, group: '' }, eve)
      assert.deepEqual([question.resource, hint], [resource, undefined])
      await refused('deletion', { resource, name: 'a' }, eve, 403)
    }
    // nor may a user ask about the own access, where the cluster has taken that away
    const nobody = { name: 'mute', groups: [] as string[] }
    await create(`${rbac}/clusterroles`, {
      metadata: { name: 'only-posts' },
      rules: [{ verbs: ['post'], nonResourceURLs: ['/binnacle/v1/explain/*'] }]
    })
    await create(`${rbac}/clusterrolebindings`, {
      ...{ metadata: { name: 'mute' }, roleRef: roleRef('ClusterRole', 'only-posts'), subjects: toUser('mute') }
    })
    const { message } = await refused('access', { verb: 'list', resource: 'pods' }, nobody, 403)
    assert.match(message, /selfsubjectaccessreviews/)
  })

  test('cannot ask who may do something', async () => {
    const { message } = await refused('subjects', { verb: 'get', resource: 'secrets', namespace: 'x' }, alice, 403)
    assert.ok(!message.includes('hidden'))
  })

  test('with get of a single role sees only that one', async () => {
    await create(`${rbac}/namespaces/x/roles`, {
      metadata: { name: 'sees-one' },
      rules: [
        { verbs: ['get'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], resourceNames: ['hidden-writer'] }
      ]
    })
    const carol = { name: 'carol', groups: ['system:authenticated'] }
    await create(`${rbac}/namespaces/x/rolebindings`, {
      ...{ metadata: { name: 'carol' }, roleRef: roleRef('Role', 'sees-one'), subjects: toUser('carol') }
    })
    const { holders } = await explain('access', { verb: 'create', resource: 'pods', namespace: 'x' }, carol)
    assert.deepEqual(
      holders.map((h: any) => h.role.name),
      ['hidden-writer']
    )
  })
})

describe('subjects', () => {
  test('are those of all bindings that allow the request', async () => {
    const { subjects } = await explain('subjects', { verb: 'get', resource: 'configmaps', namespace: 'x', name: 'one' }, auditor)
    const found = subjects.find(({ subject }: any) => subject.name === 'alice')
    assert.deepEqual(
      found.through.map(({ binding }: any) => binding.name),
      ['alice-reads']
    )
    assert.ok(subjects.some(({ subject }: any) => subject.kind === 'Group' && subject.name === 'system:masters'))
    const others = (await explain('subjects', { verb: 'get', resource: 'configmaps', namespace: 'x', name: 'two' }, auditor))
      .subjects
    assert.ok(!others.some(({ subject }: any) => subject.name === 'alice'))
  })
})

describe('a recorded request', () => {
  test('that was refused is explained by its number, its Audit-Id, and as the last one', async () => {
    const answer = await send('/api/v1/namespaces/x/secrets', { metadata: { name: 's' } }, alice)
    assert.equal(answer.status, 403)
    for (const request of ['last-denied', answer.headers['audit-id']]) {
      const { allowed, question, request: shown } = await explain('access', { request })
      assert.equal(allowed, false)
      assert.deepEqual([question.user, question.verb, question.resource, question.namespace], ['alice', 'create', 'secrets', 'x'])
      assert.equal(shown.status, 403)
    }
    assert.equal((await explain('access', { request: answer.headers['audit-id'] }, alice)).allowed, false)
  })

  test('that admission refused is one that was denied, too, and has the steps of admission', async () => {
    const namespaced = { metadata: { name: 'a', namespace: 'nowhere' } }
    await send('/api/v1/namespaces/nowhere/configmaps', namespaced)
    const answer = await send('/api/v1/namespaces/default', undefined, admin, { method: 'DELETE' })
    assert.equal(answer.status, 403)
    const { allowed, request } = await explain('access', { request: 'last-denied' })
    assert.deepEqual([allowed, request.status, request.auditId], [true, 403, answer.headers['audit-id']])
    assert.match(request.admission.find(({ name }: any) => name === 'NamespaceLifecycle').error, /may not be deleted/)
  })

  test('that nobody was asked about has no more than its record', async () => {
    const headers = { authorization: 'Bearer wrong' }
    const answer = await server.inject({ url: '/api/v1/pods', headers })
    assert.equal(answer.status, 401)
    const explained = await explain('access', { request: 'last-denied' })
    assert.deepEqual(Object.keys(explained), ['request'])
    assert.equal(explained.request.status, 401)
    await refused('access', { request: answer.headers['audit-id'] }, alice, 404)
  })

  test('of another user is not there for those who may not ask about others', async () => {
    const answer = await send('/api/v1/namespaces/x/secrets', { metadata: { name: 's' } }, auditor)
    await refused('access', { request: answer.headers['audit-id'] }, alice, 404)
  })
})

describe('fields', () => {
  const apply = (manager: string, data: object) =>
    server.inject({
      method: 'PATCH',
      url: `/api/v1/namespaces/x/configmaps/owned?fieldManager=${manager}`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned' }, data }),
      user: admin
    })

  test('have their managers, and the recorded requests that wrote them', async () => {
    assert.equal((await apply('first', { a: '1' })).status, 201)
    const second = await apply('second', { b: '2' })
    const { fields } = await explain('fields', { resource: 'configmaps', namespace: 'x', name: 'owned', field: 'data' })
    const byPath = Object.fromEntries(fields.map(({ path, owners }: any) => [path, owners]))
    assert.deepEqual(Object.keys(byPath), ['.data.a', '.data.b'])
    const [owner] = byPath['.data.b']
    assert.deepEqual([owner.manager, owner.operation, owner.subresource], ['second', 'Apply', ''])
    assert.equal(owner.request.user, 'admin')
    // both may have been written in the same second, of which the last one is shown
    assert.equal(owner.request.auditId, second.headers['audit-id'])
  })

  test('are told to those who may get the object, and the requests to those who may ask about others', async () => {
    await refused('fields', { resource: 'configmaps', namespace: 'x', name: 'owned' }, alice, 403)
    await create(`${rbac}/namespaces/x/roles`, {
      metadata: { name: 'owned-reader' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['owned'] }]
    })
    await create(`${rbac}/namespaces/x/rolebindings`, {
      ...{ metadata: { name: 'owned-reader' }, roleRef: roleRef('Role', 'owned-reader'), subjects: toUser('alice') }
    })
    const { fields } = await explain('fields', { resource: 'configmaps', namespace: 'x', name: 'owned' }, alice)
    assert.ok(fields.length > 0)
    assert.ok(fields.every(({ owners }: any) => owners.every(({ request }: any) => request === undefined)))
    await refused('fields', { resource: 'configmaps', namespace: 'x', name: 'none' }, admin, 404)
  })
})

describe('deletion', () => {
  test('of a namespace tells what is left, by kind and finalizer', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'dying' } })
    await create('/api/v1/namespaces/dying/configmaps', { metadata: { name: 'kept', finalizers: ['example.com/keep'] } })
    await server.inject({ method: 'DELETE', url: '/api/v1/namespaces/dying', user: admin })
    const explained = await eventually(
      'the rest is gone',
      () => explain('deletion', { resource: 'ns', name: 'dying' }),
      ({ remaining, conditions }) => remaining?.length === 1 && conditions.length > 0
    )
    assert.equal(explained.deleting, true)
    assert.deepEqual(explained.remaining, [
      { resource: 'configmaps', objects: 1, finalizers: { 'example.com/keep': 1 }, names: ['kept'] }
    ])
    assert.ok(
      explained.reasons.some((reason: string) => reason.includes('1 configmaps left, with finalizers: example.com/keep (1)'))
    )
    assert.ok(explained.conditions.some(({ type }: any) => type === 'NamespaceFinalizersRemaining'))
  })

  test('of an object tells its finalizers and who set them, its owners, and dependents that block it', async () => {
    const owner = await create('/api/v1/namespaces/x/configmaps', { metadata: { name: 'owner' } })
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }
    const keeping = { finalizers: ['example.com/keep'] }
    await create('/api/v1/namespaces/x/configmaps?fieldManager=keeper', {
      metadata: { name: 'dependent', ownerReferences: [{ ...reference, blockOwnerDeletion: true }], ...keeping }
    })
    await create('/api/v1/namespaces/x/configmaps', { metadata: { name: 'loose', ownerReferences: [reference], ...keeping } })
    const body = { propagationPolicy: 'Foreground' }
    await server.inject({ method: 'DELETE', url: '/api/v1/namespaces/x/configmaps/owner', body, user: admin })
    const { finalizers, dependents, reasons } = await explain('deletion', { resource: 'cm', namespace: 'x', name: 'owner' })
    assert.deepEqual(
      finalizers.map(({ name }: any) => name),
      ['foregroundDeletion']
    )
    assert.deepEqual(
      dependents.map(({ name, blocks }: any) => [name, blocks]),
      [
        ['dependent', true],
        ['loose', false]
      ]
    )
    assert.ok(reasons.some((reason: string) => reason.includes('dependent configmaps/dependent is there, with example.com/keep')))
    const of = await explain('deletion', { resource: 'cm', namespace: 'x', name: 'dependent' })
    assert.deepEqual(
      of.owners.map(({ name, exists }: any) => [name, exists]),
      [['owner', true]]
    )
    assert.deepEqual(
      of.finalizers.map(({ name, setBy }: any) => [name, setBy[0].manager]),
      [['example.com/keep', 'keeper']]
    )
  })

  test('does not tell what the asking user may not list', async () => {
    await create(`${rbac}/clusterroles`, {
      metadata: { name: 'namespace-getter' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['namespaces'] }]
    })
    await create(`${rbac}/clusterrolebindings`, {
      ...{ metadata: { name: 'dora' }, roleRef: roleRef('ClusterRole', 'namespace-getter'), subjects: toUser('dora') }
    })
    const dora = { name: 'dora', groups: ['system:authenticated'] }
    const { remaining, unreadable } = await explain('deletion', { resource: 'ns', name: 'dying' }, dora)
    assert.deepEqual(remaining, [])
    assert.ok(unreadable.includes('configmaps'))
    await refused('deletion', { resource: 'ns', name: 'dying' }, alice, 403)
  })
})

describe('admission', () => {
  before(async () => {
    const group = '/apis/admissionregistration.k8s.io/v1'
    await create(`${group}/validatingadmissionpolicies`, {
      metadata: { name: 'small' },
      spec: {
        matchConstraints: {
          resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }]
        },
        validations: [{ expression: "!has(object.data) || object.data.all(k, k != 'forbidden')", message: 'no such key' }]
      }
    })
    await create(`${group}/validatingadmissionpolicybindings`, {
      metadata: { name: 'small' },
      spec: { policyName: 'small', validationActions: ['Deny'] }
    })
  })
  const object = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tried', namespace: 'x' }, data })

  test('is told step by step, with what expressions cost, and nothing is stored', async () => {
    const { status, steps, object: made } = await explain('admission', { operation: 'create', object: object({ a: 'b' }) })
    assert.equal(status, 201)
    assert.equal(made.data.a, 'b')
    const step = steps.find(({ kind }: any) => kind === 'policy')
    assert.match(step.name, /^small/)
    assert.ok(step.cost > 0 && step.milliseconds >= 0)
    const [{ expression, cost, nodes }] = step.expressions
    assert.match(expression, /forbidden/)
    assert.equal(cost, step.cost)
    assert.equal(
      nodes.reduce((sum: number, { own }: any) => sum + own, 0),
      cost
    )
    // a recorded request does not pay for it
    await create('/api/v1/namespaces/x/configmaps', { metadata: { name: 'plain' }, data: { a: 'b' } })
    const [recorded] = server.recorder!.requests().slice(-1)
    assert.equal(recorded!.admission.find(({ kind }) => kind === 'policy')?.expressions, undefined)
    assert.ok(steps.some(({ kind, name }: any) => kind === 'plugin' && name === 'NamespaceLifecycle'))
    assert.equal((await server.inject({ url: '/api/v1/namespaces/x/configmaps/tried', user: admin })).status, 404)
  })

  test('shows what plugins change', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'x' },
      spec: { containers: [{ name: 'c', image: 'i' }] }
    }
    const { steps } = await eventually(
      'the ServiceAccount is there',
      () => explain('admission', { operation: 'create', object: pod }),
      ({ status }) => status === 201
    )
    assert.match(steps.find(({ name }: any) => name === 'ServiceAccount').diff, /serviceAccountName/)
  })

  test('of a refusal names what refused', async () => {
    const { status, message, steps } = await explain('admission', { operation: 'create', object: object({ forbidden: 'b' }) })
    assert.equal(status, 422)
    assert.match(message, /no such key/)
    assert.ok(steps.some(({ name, error }: any) => name === 'ValidatingAdmissionPolicy' && error.includes('no such key')))
  })

  test('needs the permissions of the request, and names policies to those who may list them', async () => {
    const of = await explain('admission', { operation: 'create', object: object({}) }, alice)
    assert.equal(of.status, 403)
    await create(`${rbac}/namespaces/x/roles`, {
      metadata: { name: 'map-creator' },
      rules: [{ verbs: ['create'], apiGroups: [''], resources: ['configmaps'] }]
    })
    await create(`${rbac}/namespaces/x/rolebindings`, {
      ...{ metadata: { name: 'map-creator' }, roleRef: roleRef('Role', 'map-creator'), subjects: toUser('alice') }
    })
    const text = JSON.stringify(await explain('admission', { operation: 'create', object: object({ a: 'b' }) }, alice))
    assert.equal(JSON.parse(text).status, 201)
    assert.ok(!text.includes('small'))
    assert.match(text, /you may not list validatingadmissionpolicies/)
  })
})

describe('expressions', () => {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'string', maxLength: 10 } } },
        'x-kubernetes-validations': [{ rule: 'self.items.all(a, self.items.exists(b, a == b))' }]
      }
    }
  }
  test('of a definition have their costs, and limits that help', async () => {
    const definition = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } }
    const { versions } = await explain('expressions', { definition }, alice)
    const [{ version, rules }] = versions
    assert.equal(version, 'v1')
    assert.deepEqual(rules[0].cures[0].bounds[0].at, '.properties[spec].properties[items]')
    assert.equal(rules[0].cures[0].bounds[0].keyword, 'maxItems')
  })

  test('of what is no definition are refused', async () => {
    const wrapped = (schema: unknown) => ({
      definition: { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } }
    })
    await refused('expressions', { definition: {} }, admin, 422)
    await refused('expressions', { definition: [] }, admin, 422)
    for (const schema of [
      1,
      { properties: [] },
      { maxItems: 'x' },
      { required: 1 },
      { 'x-kubernetes-validations': [1] },
      { properties: { a: null } }
    ])
      await refused('expressions', wrapped(schema), admin, 422)
    let deep: object = {}
    for (let i = 0; i < 300; i++) deep = { type: 'array', items: deep }
    await refused('expressions', wrapped(deep), admin, 422)
  })
})

describe('questions', () => {
  test('are described by a document of their own, and are not listed at /', async () => {
    const document = (await server.inject({ url: '/binnacle/v1/explain/openapi.json', user: admin })).json()
    for (const name of ['access', 'subjects', 'deletion', 'fields', 'admission', 'expressions'])
      assert.ok(document.paths[`/binnacle/v1/explain/${name}`].post, name)
    const { paths } = (await server.inject({ url: '/', user: admin })).json()
    assert.ok(!paths.some((path: string) => path.includes('binnacle')))
  })

  test('need permission for their path', async () => {
    const nobody = { name: 'nobody', groups: [] }
    await refused('access', { verb: 'get', resource: 'pods' }, nobody as any, 403)
  })

  test('that are malformed are answered with a Status', async () => {
    assert.match((await refused('access', { verb: 'get' }, admin, 422)).message, /either resource or path/)
    assert.match((await refused('access', { verb: 'get', resorce: 'pods' }, admin, 422)).message, /did you mean resource\?/)
    assert.match((await refused('deletion', { resource: 'widgets', name: 'a' }, admin, 422)).message, /no resource widgets/)
    assert.equal((await send('/binnacle/v1/explain/other', {})).status, 404)
    const deep = `{"object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"x"},"data":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}}`
    const answer = await send('/binnacle/v1/explain/admission', deep, admin, { headers: { 'content-type': 'application/json' } })
    assert.equal(answer.status, 400)
    const large = await send('/binnacle/v1/explain/access', 'x'.repeat(3 * 1024 * 1024 + 1), admin, {
      headers: { 'content-type': 'application/json' }
    })
    assert.equal(large.status, 413)
    const get = await server.inject({ url: '/binnacle/v1/explain/access', user: admin })
    assert.deepEqual([get.status, get.headers.allow], [405, 'POST'])
  })
})
