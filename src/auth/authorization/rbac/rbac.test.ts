/** RBAC in a whole server: a write takes effect with the next request. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { admin, send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const apiGroup = 'rbac.authorization.k8s.io'
const rbac = `/apis/${apiGroup}/v1`
const mine = `${rbac}/namespaces/default`
const ann = { name: 'ann', groups: ['team', 'system:authenticated'] }
const pods = '/api/v1/namespaces/default/pods'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

type User = typeof admin

const ask = (user: User, method: string, url: string, body?: object) => send(server, method, url, body, { user })

const rule = (resources: string[], verbs: string[], group = '') => ({ apiGroups: [group], resources, verbs })
const toAnn = { kind: 'User', name: 'ann' }

async function make(url: string, name: string, more: object): Promise<void> {
  const { status, body } = await ask(admin, 'POST', url, { metadata: { name }, ...more })
  assert.equal(status, 201, body.message)
}

const bind = (name: string, kind: string, role: string, ...subjects: object[]) =>
  make(`${mine}/rolebindings`, name, { roleRef: { apiGroup, kind, name: role }, subjects })

async function reasonFor(user: User, attributes: object): Promise<string | undefined> {
  const resourceAttributes = { namespace: 'default', ...attributes }
  const spec = { user: user.name, groups: user.groups, resourceAttributes }
  const { body } = await ask(admin, 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })
  return body.status.reason
}

describe('RBAC', () => {
  it('applies changes of roles and bindings at once', async () => {
    assert.equal((await ask(ann, 'GET', pods)).status, 403)
    await make(`${mine}/roles`, 'reader', { rules: [rule(['pods'], ['list'])] })
    await bind('reading', 'Role', 'reader', { kind: 'Group', name: 'other' }, toAnn)
    assert.equal((await ask(ann, 'GET', pods)).status, 200)
    assert.equal((await ask(ann, 'GET', '/api/v1/pods')).status, 403)
    assert.equal(
      await reasonFor(ann, { verb: 'list', resource: 'pods' }),
      'RBAC: allowed by RoleBinding "reading/default" of Role "reader" to User "ann"'
    )
    await ask(admin, 'PATCH', `${mine}/roles/reader`, { rules: [rule(['pods'], ['get'])] })
    assert.equal((await ask(ann, 'GET', pods)).status, 403)
    await ask(admin, 'PATCH', `${mine}/roles/reader`, { rules: [rule(['*'], ['*'])] })
    assert.equal((await ask(ann, 'GET', pods)).status, 200)
    await ask(admin, 'PATCH', `${mine}/rolebindings/reading`, { subjects: [{ kind: 'User', name: 'bob' }] })
    assert.equal((await ask(ann, 'GET', pods)).status, 403)
    await ask(admin, 'PATCH', `${mine}/rolebindings/reading`, { subjects: [toAnn] })
    await ask(admin, 'DELETE', `${mine}/roles/reader`)
    const { body } = await ask(ann, 'GET', pods)
    assert.match(body.message, /: RBAC: role\.rbac\.authorization\.k8s\.io "reader" not found$/)
    await ask(admin, 'DELETE', `${mine}/rolebindings/reading`)
    assert.equal(await reasonFor(ann, { verb: 'list', resource: 'pods' }), undefined)
  })

  it('binds service accounts, by default those in the namespace of the binding', async () => {
    await bind('accounts', 'ClusterRole', 'system:kube-dns', { kind: 'ServiceAccount', name: 's' })
    const account = { name: 'system:serviceaccount:default:s', groups: [] }
    assert.equal(
      await reasonFor(account, { verb: 'list', resource: 'services' }),
      'RBAC: allowed by RoleBinding "accounts/default" of ClusterRole "system:kube-dns" to ServiceAccount "s/default"'
    )
    assert.equal(
      await reasonFor({ ...account, name: 'system:serviceaccount:other:s' }, { verb: 'list', resource: 'services' }),
      undefined
    )
  })

  it('grants no access to cluster-scoped resources by a RoleBinding', async () => {
    await make(`${rbac}/clusterroles`, 'all', { rules: [rule(['*'], ['*'])] })
    await bind('all', 'ClusterRole', 'all', { kind: 'Group', name: 'locals' })
    const local = { name: 'l', groups: ['locals'] }
    assert.equal((await ask(local, 'GET', pods)).status, 200)
    assert.equal((await ask(local, 'GET', '/api/v1/namespaces/default')).status, 200)
    for (const path of ['nodes', 'namespaces', 'namespaces/kube-system'])
      assert.equal((await ask(local, 'GET', `/api/v1/namespaces/default/${path}`)).status, 404, path)
    assert.equal((await ask(local, 'GET', '/api/v1/namespaces')).status, 403)
  })

  it('lets no user grant more permissions than the user has', async () => {
    await make(`${rbac}/clusterroles`, 'granting', {
      rules: [
        rule(['roles', 'rolebindings'], ['create', 'patch', 'update'], apiGroup),
        { ...rule(['clusterroles'], ['bind'], apiGroup), resourceNames: ['system:node'] },
        rule(['pods'], ['get'])
      ]
    })
    await bind('granting', 'ClusterRole', 'granting', toAnn)
    const role = (name: string, ...verbs: string[]) => ({ metadata: { name }, rules: [rule(['pods'], verbs)] })
    assert.equal((await ask(ann, 'POST', `${mine}/roles`, role('own', 'get'))).status, 201)
    const { status, body } = await ask(ann, 'POST', `${mine}/roles`, role('more', 'get', 'list'))
    assert.deepEqual(
      [status, body.message],
      [
        403,
        'roles.rbac.authorization.k8s.io "more" is forbidden: user "ann" (groups=["team" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'
      ]
    )
    assert.equal((await ask(ann, 'PATCH', `${mine}/roles/own`, { rules: [rule(['pods'], ['*'])] })).status, 403)
    assert.equal((await ask(ann, 'PUT', `${mine}/roles/new`, role('new', '*'))).status, 403)
    const to = (kind: string, name: string) => ({
      metadata: { generateName: 'b-' },
      roleRef: { apiGroup, kind, name },
      subjects: [toAnn]
    })
    const answers = ['granting', 'system:node', 'cluster-admin', 'missing'].map(async name => {
      return (await ask(ann, 'POST', `${mine}/rolebindings`, to('ClusterRole', name))).status
    })
    assert.deepEqual(await Promise.all(answers), [201, 201, 403, 404])
  })

  it('requires the verb create for a PUT that creates', async () => {
    await make(`${mine}/roles`, 'updating', { rules: [rule(['limitranges'], ['update'])] })
    await bind('updating', 'Role', 'updating', { kind: 'User', name: 'eve' })
    const eve = { ...ann, name: 'eve' }
    const put = () =>
      ask(eve, 'PUT', '/api/v1/namespaces/default/limitranges/l', { metadata: { name: 'l' }, spec: { limits: [] } })
    const { status, body } = await put()
    assert.equal(status, 403)
    assert.match(body.message, /cannot create resource "limitranges"/)
    await make('/api/v1/namespaces/default/limitranges', 'l', { spec: { limits: [] } })
    assert.equal((await put()).status, 200)
  })

  it('lists the rules of a user', async () => {
    const review = { spec: { namespace: 'kube-system' } }
    const { body } = await ask(ann, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', review)
    assert.deepEqual(body.status.resourceRules, [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] }
    ])
    assert.equal(body.status.incomplete, false)
  })
})

describe('a role of a few kilobytes that stands for billions of permissions', () => {
  it('is compared with the permissions of its author, and refused with a short message', async () => {
    const many = (prefix: string) => Array.from({ length: 400 }, (_, i) => `${prefix}${i}`)
    const rules = [{ verbs: many('v'), apiGroups: many('g'), resources: many('r'), resourceNames: many('n') }]
    await make(`${mine}/roles`, 'author', { rules: [rule(['roles'], ['create'], apiGroup)] })
    const carl = { name: 'carl', groups: ['system:authenticated'] }
    await bind('author', 'Role', 'author', { kind: 'User', name: 'carl' })
    const { status, body } = await ask(carl, 'POST', `${mine}/roles`, { metadata: { name: 'huge' }, rules })
    assert.equal(status, 403)
    assert.match(body.message, /is attempting to grant RBAC permissions not currently held:\n\{APIGroups:\["g0"\]/)
    assert.match(body.message, /\n\(and more than can be listed\)$/)
    assert.ok(body.message.length < 3_000_000)
    await make(`${mine}/roles`, 'huge', { rules })
    await bind('huge', 'Role', 'huge', { kind: 'User', name: 'carl' })
    const again = await ask(carl, 'POST', `${mine}/roles`, { metadata: { name: 'same' }, rules })
    assert.equal(again.status, 201, again.body.message)
  })
})
