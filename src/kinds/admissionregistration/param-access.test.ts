import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const ann = { name: 'ann', uid: 'u1', groups: ['team'], extra: { b: ['2'], a: ['1', 'x'] } }
const policies = '/apis/admissionregistration.k8s.io/v1'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
let server: BinnacleServer

const post = async (user: typeof admin, url: string, body: object) => {
  const answer = await server.inject({ method: 'POST', url, user, body })
  return { status: answer.status, message: answer.json().message as string }
}

const policy = (name: string, paramKind: object) => ({
  metadata: { name },
  spec: {
    paramKind,
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }]
    },
    validations: [{ expression: 'true' }]
  }
})

const binding = (policyName: string, paramRef: object) => ({
  metadata: { name: 'b' },
  spec: { policyName, validationActions: ['Deny'], paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } }
})

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
  const rules = [
    { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['create'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['limits'] }
  ]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' }
  await post(admin, `${rbac}/clusterroles`, { metadata: { name: 'r' }, rules })
  await post(admin, `${rbac}/clusterrolebindings`, {
    metadata: { name: 'r' },
    roleRef,
    subjects: [{ kind: 'User', name: 'ann' }]
  })
  await post(admin, `${policies}/validatingadmissionpolicies`, policy('of-secrets', { apiVersion: 'v1', kind: 'Secret' }))
})
after(() => server.stop())

const who = 'user &{ann u1 [team] map[a:[1 x] b:[2]]}'

describe('parameters of admission policies', () => {
  it('must be of a kind that the writer may read in all namespaces', async () => {
    const of = (kind: string) =>
      post(ann, `${policies}/validatingadmissionpolicies`, policy(kind.toLowerCase(), { apiVersion: 'v1', kind }))
    assert.equal((await of('ConfigMap')).status, 201)
    const { status, message } = await of('Secret')
    assert.equal(status, 422)
    assert.ok(
      message.endsWith(
        `spec.paramKind: Forbidden: ${who} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)`
      ),
      message
    )
  })

  it('must be objects that the writer may read', async () => {
    const bind = (policyName: string, paramRef: object) =>
      post(ann, `${policies}/validatingadmissionpolicybindings?dryRun=All`, binding(policyName, paramRef))
    assert.equal((await bind('of-secrets', { name: 'limits' })).status, 201)
    assert.match(
      (await bind('of-secrets', { name: 'other' })).message,
      / does not have "get" permission on the object referenced by/
    )
    assert.match((await bind('of-secrets', { selector: {} })).message, / does not have "list" permission on the object/)
    assert.match(
      (await bind('gone', { name: 'limits' })).message,
      /unable to get policy gone to determine .* for all groups, versions/
    )
  })
})
