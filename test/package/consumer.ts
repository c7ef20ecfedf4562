// What somebody writes who installed the package: compiled strictly against the published types, then run on the published code.
// scripts/check-package.mjs does both.
import assert from 'node:assert/strict'
import { createServer, defineKind, type KubeObject, Path } from 'binnacle'

interface Course extends KubeObject {
  spec: { seats: number }
}

const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    {
      name: 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } } } }
        }
      }
    }
  ],
  validate({ spec }, errors) {
    if (spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), spec.seats, 'the room has 30 seats')
  }
})

const server = createServer({ kinds: [course] })
await server.start()
try {
  assert.match(server.kubeconfig(), /certificate-authority-data/)
  const user = { name: 'me', groups: ['system:masters'] }
  const url = '/apis/school.example.com/v1/namespaces/default/courses'
  const crowded = { apiVersion: 'school.example.com/v1', kind: 'Course', metadata: { name: 'maths' }, spec: { seats: 31 } }
  const refused = await server.inject({ url, user, body: crowded })
  assert.equal(refused.status, 422)
  assert.match(refused.json().message, /the room has 30 seats/)

  // Large YAML is read in a worker thread, whose module lies beside the bundle; the texts of fields are data beside it.
  const lines = Array.from({ length: 1000 }, (_, i) => `  key-${i}: value-${i}`)
  const created = await server.inject({
    url: '/api/v1/namespaces/default/configmaps',
    user,
    headers: { 'content-type': 'application/yaml' },
    body: `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n${lines.join('\n')}\n`
  })
  assert.equal(created.status, 201)
  assert.equal(Object.keys(created.json().data).length, 1000)
  const openapi = await server.inject({ url: '/openapi/v3/api/v1', user })
  assert.match(openapi.json().components.schemas['io.k8s.api.core.v1.ConfigMap'].description, /ConfigMap holds/)
  const metrics = await server.inject({ url: '/metrics', user })
  assert.match(metrics.body.toString(), /apiserver_resource_objects/)
} finally {
  await server.stop()
}
