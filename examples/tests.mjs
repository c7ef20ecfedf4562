// Tests of a controller with binnacle/testing: each on a server of its own, a fork of one that is set up once.
//
//   node --test examples/tests.mjs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineKind, defineReconciler, kindRef } from 'binnacle'
import { until, useServer } from 'binnacle/testing'

/** @typedef {import('binnacle').KubeObject & { spec: { seats: number } }} Course */

/** @type {import('binnacle').OwnKind<Course>} */
const course = defineKind({
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
  ]
})
const configMaps = kindRef('v1', 'ConfigMap')

/** The controller under test: it keeps a ConfigMap beside each course. */
const rooms = defineReconciler({
  for: course,
  owns: [configMaps],
  async reconcile({ apiVersion, kind, metadata: { name, namespace, uid }, spec }, { client }) {
    const owner = { apiVersion, kind, name, uid, controller: true }
    const room = { metadata: { name: `room-${name}`, namespace, ownerReferences: [owner] }, data: { seats: String(spec.seats) } }
    await client.of(configMaps).apply(room, { force: true })
  }
})

const server = useServer({
  kinds: [course],
  reconcilers: [rooms],
  setup: server =>
    server.apply(`
apiVersion: v1
kind: Namespace
metadata:
  name: school
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: readers
  namespace: school
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects:
- { apiGroup: rbac.authorization.k8s.io, kind: Group, name: pupils }
`)
})

const algebra = { metadata: { name: 'algebra', namespace: 'school' }, spec: { seats: 20 } }
const room = /** @type {const} */ ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'room-algebra', namespace: 'school' }
})

test('a course has a room', async () => {
  const client = server.client()
  await client.of(course).create(algebra)
  await until(client, room, ({ data }) => data?.seats === '20')
})

test('a room comes back', async () => {
  const client = server.client()
  assert.equal(await client.of(configMaps).find(room), undefined, 'the test above had a server of its own')
  await client.of(course).create(algebra)
  const first = await until(client, room, () => true)
  await client.of(configMaps).delete(room)
  await until(client, room, ({ metadata }) => metadata.uid !== first.metadata.uid)
})

test('pupils may look, and not touch', async () => {
  const maps = server.as('bob', ['pupils']).of(configMaps)
  assert.ok((await maps.list({ namespace: 'school' })).items)
  await assert.rejects(maps.create(room), { name: 'StatusError', code: 403 })
})
