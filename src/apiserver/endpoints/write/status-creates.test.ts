/** A few kinds are created through their status, as kube-apiserver's stores of these statuses do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, controllers: [] })
before(() => server.start())
after(() => server.stop())

async function write(method: 'PUT' | 'PATCH', path: string, body: object) {
  const headers = { 'content-type': method === 'PUT' ? 'application/json' : 'application/apply-patch+yaml' }
  const url = `${path}/status?fieldManager=m`
  const { status, json } = await server.inject({ method, url, user, headers, body: JSON.stringify(body) })
  return { status, body: json() }
}

const services = '/api/v1/namespaces/default/services'
const service = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
  status: { loadBalancer: { ingress: [{ ip: '10.1.1.1' }] } }
})

for (const method of ['PUT', 'PATCH'] as const)
  test(`a Service by ${method}, without status and addresses`, async () => {
    const name = method.toLowerCase()
    const { status, body } = await write(method, `${services}/${name}`, service(name, { ports: [{ port: 80 }] }))
    assert.equal(status, 201)
    assert.deepEqual(body.status, { loadBalancer: {} })
    assert.equal(body.spec.clusterIP, undefined)
    assert.deepEqual(
      body.metadata.managedFields.map(({ subresource, fieldsV1 }: any) => [subresource, fieldsV1]),
      [['status', { 'f:status': { 'f:loadBalancer': { 'f:ingress': {} } } }]]
    )
    const refused = await write(method, `${services}/other`, service('other', {}))
    assert.equal(refused.status, 422)
  })

test('a policy by an apply alone, and others not at all', async () => {
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] },
    status: { observedGeneration: 3 }
  }
  assert.equal((await write('PUT', `${policies}/p`, policy)).status, 404)
  assert.equal((await write('PATCH', `${policies}/p`, policy)).status, 201)
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'absent' } }
  assert.equal((await write('PATCH', '/api/v1/namespaces/absent', namespace)).status, 404)
})
