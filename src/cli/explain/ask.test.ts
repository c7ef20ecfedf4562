/** Explanations that the command makes itself, where the server gives none: they say what the server's own say. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BinnacleServer, createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { askAccess, askAdmission, askDeletion, askFields, askSubjects } from './ask.js'
import { accessText, admissionText, deletionText, fieldsText, subjectsText, visible } from './show.js'

let server: BinnacleServer
const group = 'rbac.authorization.k8s.io'
const masters = () => server.client()
/** Reads everything, but may not post to the paths of explanations. */
const reader = () => server.client({ user: { name: 'reader', groups: ['system:authenticated'] } })
const alice = () => server.client({ user: { name: 'alice', groups: ['system:authenticated'] } })

before(async () => {
  server = createServer({ log: silentLogger, listen: false })
  await server.start()
  await server.client().apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'reads-everything' },
      rules: [
        { verbs: ['get', 'list'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['*'] }
      ]
    },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reads-everything' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'reads-everything' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'reader' }]
    },
    {
      apiVersion: `${group}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'views', namespace: 'x' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'bot' }]
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'x', finalizers: ['example.com/keep'] },
      data: { b: 'c' }
    }
  ])
  await server
    .client()
    .of('v1', 'ConfigMap')
    .delete({ metadata: { name: 'a', namespace: 'x' } })
})
after(() => server.stop())

const getPods = { verb: 'get', resource: 'pods', namespace: 'x' }
const bot = { user: 'system:serviceaccount:x:bot', ...getPods }

describe('without explanations of the server', () => {
  test('access is explained by reviews, roles and bindings', async () => {
    for (const verb of ['get', 'delete']) {
      const own = await askAccess(masters(), { ...bot, verb })
      const read = await askAccess(reader(), { ...bot, verb })
      for (const member of ['question', 'allowed', 'reason', 'grants', 'remedy', 'unreadable'] as const)
        assert.deepEqual(JSON.parse(JSON.stringify(read[member] ?? null)), own[member] ?? null, member)
      const names = (explained: typeof own) => explained.holders?.map(({ role }) => role.name).sort()
      assert.deepEqual(names(read), names(own))
    }
  })

  test('subjects are those that the server names', async () => {
    const [own, read] = [await askSubjects(masters(), getPods), await askSubjects(reader(), getPods)]
    assert.deepEqual(read.subjects, own.subjects)
    assert.ok(own.subjects.some(({ subject }) => subject.name === 'bot' && subject.namespace === 'x'))
  })

  test('deletion and fields are read from the object', async () => {
    const place = { resource: 'cm', namespace: 'x', name: 'a' }
    const [own, read] = [await askDeletion(masters(), place), await askDeletion(reader(), place)]
    assert.deepEqual(JSON.parse(JSON.stringify(read)), own)
    assert.equal(read.finalizers[0]!.name, 'example.com/keep')
    assert.deepEqual(
      JSON.parse(JSON.stringify(await askFields(reader(), { ...place, field: 'data' }))),
      await askFields(masters(), { ...place, field: 'data' })
    )
  })

  test('what the server alone knows is refused', async () => {
    await assert.rejects(askAccess(reader(), { request: 'last-denied' }), /explained by the server alone/)
    await assert.rejects(askAdmission(reader(), { object: {} }), /explained by the server alone/)
  })

  test('a user sees no roles that the user may not read, and does not ask about others', async () => {
    const text = JSON.stringify(await askAccess(alice(), { verb: 'create', resource: 'pods', namespace: 'x' }))
    assert.ok(!text.includes('cluster-admin'))
    await assert.rejects(askAccess(alice(), bot), /cannot create resource "subjectaccessreviews"/)
    await assert.rejects(askSubjects(alice(), getPods), /may list/)
    await assert.rejects(askDeletion(alice(), { resource: 'cm', namespace: 'x', name: 'a' }), /cannot get resource "configmaps"/)
  })
})

describe('the texts', () => {
  test('of access name the binding, or the role that would allow it', async () => {
    assert.match(
      accessText(await askAccess(masters(), bot)),
      /RoleBinding x\/views gives ClusterRole view to ServiceAccount x\/bot/
    )
    const refused = accessText(await askAccess(masters(), { ...bot, verb: 'delete' }))
    assert.match(refused, /may not delete pods in namespace x/)
    assert.match(refused, /kind: RoleBinding/)
  })

  test('of everything else say what there is', async () => {
    assert.match(subjectsText(await askSubjects(masters(), getPods)), /through RoleBinding x\/views/)
    const place = { resource: 'cm', namespace: 'x', name: 'a' }
    assert.match(deletionText('cm/a', await askDeletion(masters(), place)), /finalizer example.com\/keep, set by binnacle/)
    assert.match(fieldsText((await askFields(masters(), place)).fields), /^\.data\.b {2}binnacle \(Apply, /m)
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'x' } }
    assert.match(admissionText(await askAdmission(masters(), { object })), /the answer would be 201/)
  })

  test('are no commands for a terminal', () => {
    assert.equal(visible('a\u001b[2Jb\nc'), 'a\\u001b[2Jb\nc')
  })
})
