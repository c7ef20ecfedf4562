import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../index.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`

test('plugins that are off by default run when they are enabled', async t => {
  const server = createServer({
    enableAdmissionPlugins: ['NamespaceAutoProvision', 'DenyServiceExternalIPs', 'OwnerReferencesPermissionEnforcement']
  })
  await server.start()
  t.after(() => server.stop())
  const post = (url: string, body: object, user = admin) => server.inject({ method: 'POST', url, body, user })

  assert.equal((await post(`${configMaps('new')}?dryRun=All`, { metadata: { name: 'a' } })).status, 404)
  assert.equal((await post(configMaps('new'), { metadata: { name: 'a' } })).status, 201)

  const spec = { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] }
  assert.equal((await post('/api/v1/namespaces/new/services', { metadata: { name: 's' }, spec })).status, 403)

  const user = { name: 'alice', groups: ['system:authenticated'] }
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/new'
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]
  await post(`${rbac}/roles`, { metadata: { name: 'r' }, rules })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
  await post(`${rbac}/rolebindings`, { metadata: { name: 'r' }, roleRef, subjects: [{ kind: 'User', name: 'alice' }] })
  const owned = (blockOwnerDeletion: boolean) => ({
    metadata: {
      generateName: 'o-',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', blockOwnerDeletion }]
    }
  })
  assert.equal((await post(configMaps('new'), owned(false), user)).status, 201)
  assert.equal((await post(configMaps('new'), owned(true), user)).status, 403)
  assert.equal((await post(configMaps('new'), owned(true))).status, 201)
})
