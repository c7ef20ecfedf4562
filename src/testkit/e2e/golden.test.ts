/**
 * A server with a seed and a clock that stands still, compared with a committed file: two versions of Binnacle differ only on purpose.
 * After a change on purpose, UPDATE_GOLDEN=1 npm test -- golden writes the file, and the commit shows what has changed.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type BinnacleServer, createServer, defineKind, defineReconciler, type KubeObject, kindRef } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { FakeClock } from '../fake-clock.js'

const golden = fileURLToPath(new URL('../../../test/golden/server.txt', import.meta.url))
const user = { name: 'admin', groups: ['system:masters'] }
const hour = 3_600_000

interface Course extends KubeObject {
  spec: { seats: number; language?: string }
  status?: { room: string }
}
const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    {
      name: 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              required: ['seats'],
              properties: { seats: { type: 'integer', minimum: 1 }, language: { type: 'string', default: 'en' } }
            },
            status: { type: 'object', properties: { room: { type: 'string' } } }
          }
        }
      }
    }
  ]
})
const configMap = kindRef('v1', 'ConfigMap')

const rooms = defineReconciler({
  for: course,
  owns: [configMap],
  async reconcile({ apiVersion, kind, metadata: { name, namespace, uid }, spec: { seats } }, { client }) {
    const owner = { apiVersion, kind, name: name!, uid: uid!, controller: true }
    const room = { metadata: { name: `room-${name}`, namespace, ownerReferences: [owner] }, data: { seats: `${seats}` } }
    await client.of('v1', 'ConfigMap').apply(room, { force: true })
    await client
      .of(course)
      .subresource('status')
      .patch({ metadata: { name: name!, namespace } }, { status: { room: `room-${name}` } })
  }
})

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: clubs.school.example.com }
spec:
  group: school.example.com
  scope: Namespaced
  names: { kind: Club, plural: clubs, singular: club, listKind: ClubList }
  versions:
  - name: v1
    served: true
    storage: true
    subresources: { status: {} }
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              members: { type: array, items: { type: string }, x-kubernetes-list-type: set }
              day: { type: string, default: Friday }
            x-kubernetes-validations:
            - { rule: "!has(self.members) || size(self.members) < 3", message: a club is small }
`

const team = `
apiVersion: v1
kind: Namespace
metadata: { name: team, labels: { tier: gold } }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: few, namespace: team }
spec: { hard: { pods: "1", configmaps: "5" } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: editors, namespace: team }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: team }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: nginx, image: "nginx:1.29", ports: [{ containerPort: 80 }] }] }
`

/** Writes as clients of all sorts do. After each write the server's controllers do what they have to. */
async function work(server: BinnacleServer, clock: FakeClock): Promise<void> {
  const client = server.client()
  const step = async (writing: Promise<unknown>) => {
    await writing
    await clock.pass(1000)
  }
  const refused = (writing: Promise<unknown>) => step(assert.rejects(writing, { name: 'StatusError' }))

  await step(server.apply([definition, team]))
  const maps = client.of('v1', 'ConfigMap')
  const settings = { metadata: { name: 'settings', namespace: 'team' } }
  await step(maps.create({ ...settings, data: { colour: 'blue' } }))
  await step(maps.patch(settings, { data: { colour: 'green', size: 'xl' } }))
  await step(maps.apply({ ...settings, data: { size: 's' } }, { fieldManager: 'alice', force: true }))
  await refused(maps.apply({ ...settings, data: { size: 'm' } }, { fieldManager: 'bob' }))
  for (let i = 0; i < 2; i++) await step(maps.create({ metadata: { generateName: 'some-', namespace: 'team' } }))

  const service = {
    metadata: { generateName: 'web-', namespace: 'team' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] }
  }
  await step(client.of('v1', 'Service').create({ ...service, spec: { ...service.spec, type: 'NodePort' } }))
  await step(client.of('v1', 'Service').create(service, { dryRun: true }))
  const pod = (name: string) => ({ metadata: { name, namespace: 'team' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
  const developer = server.as('carol', ['devs'])
  await step(developer.of('v1', 'Pod').create(pod('one')))
  await refused(developer.of('v1', 'Pod').create(pod('beyond-the-quota')))
  await refused(developer.of('v1', 'Node').create({ metadata: { name: 'not-mine' } }))
  await step(
    client.of('v1', 'Secret').create({ metadata: { name: 'key', namespace: 'team' }, stringData: { password: 'hidden' } })
  )

  const happened = {
    type: 'Normal',
    reason: 'Scheduled',
    message: 'to nobody',
    involvedObject: { kind: 'Pod', namespace: 'team', name: 'one' }
  }
  await step(client.of('v1', 'Event').create({ metadata: { name: 'one.1', namespace: 'team' }, ...happened }))
  const leases = client.of('coordination.k8s.io/v1', 'Lease')
  const lease = { metadata: { name: 'leader', namespace: 'team' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }
  await step(leases.create(lease))
  await step(leases.patch(lease, { spec: { holderIdentity: 'b', leaseTransitions: 1 } }))

  const algebra = {
    metadata: { name: 'algebra', namespace: 'team', finalizers: ['school.example.com/cleaning'] },
    spec: { seats: 20 }
  }
  await step(client.of(course).create(algebra))
  await step(client.of(course).patch(algebra, [{ op: 'replace', path: '/spec/seats', value: 21 }]))
  await refused(client.of(course).create({ metadata: { name: 'empty', namespace: 'team' }, spec: { seats: 0 } }))
  await step(
    client
      .of('apps/v1', 'Deployment')
      .subresource('scale')
      .patch({ metadata: { name: 'web', namespace: 'team' } }, { spec: { replicas: 3 } })
  )
  await step(client.of(course).delete(algebra))
  await step(client.of(course).patch(algebra, { metadata: { finalizers: null } } as never))
  const chess = { apiVersion: 'school.example.com/v1', kind: 'Club', metadata: { name: 'chess', namespace: 'team' } }
  await step(server.apply({ ...chess, spec: { members: ['ann'] } }, { fieldManager: 'ann' }))
  await step(server.apply({ ...chess, spec: { members: ['bea'] } }, { fieldManager: 'bea' }))
  await refused(server.apply({ ...chess, spec: { members: ['cem', 'dan'] } }, { fieldManager: 'cem' }))
  await step(client.of('v1', 'Namespace').create({ metadata: { name: 'short' } }))
  await step(client.of('v1', 'Namespace').delete({ metadata: { name: 'short' } }))
}

const certificates = /-----BEGIN CERTIFICATE.*?END CERTIFICATE-----/g
const watched = [
  '/api/v1/namespaces?watch=1&timeoutSeconds=150&allowWatchBookmarks=true',
  '/api/v1/configmaps?watch=1&timeoutSeconds=7200&resourceVersion=0',
  '/api/v1/events?watch=1&timeoutSeconds=7200',
  '/api/v1/namespaces/team/pods?watch=1&timeoutSeconds=7200',
  '/apis/coordination.k8s.io/v1/namespaces/team/leases?watch=1&timeoutSeconds=7200',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=1&timeoutSeconds=7200',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings?watch=1&timeoutSeconds=7200'
]

/** All objects, by their paths. */
async function objectsOf(server: BinnacleServer): Promise<Map<string, object>> {
  const accept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
  const objects = new Map<string, object>()
  for (const root of ['/api', '/apis']) {
    const { items } = (await server.inject({ url: root, user, headers: accept })).json()
    for (const { metadata, versions } of items)
      for (const { resource, verbs } of versions[0].resources) {
        if (!verbs.includes('list')) continue
        const path = [root, metadata.name, versions[0].version, resource].filter(Boolean).join('/')
        for (const item of (await server.inject({ url: path, user })).json().items)
          objects.set([path, item.metadata.namespace, item.metadata.name].filter(Boolean).join(' '), item)
      }
  }
  return objects
}

/** Everything that can be seen of a server in which the work is done. What it began with is a line for each object. */
async function seen(t: TestContext): Promise<string> {
  const clock = new FakeClock()
  const server = createServer({
    seed: 'golden',
    clock,
    kinds: [course],
    reconcilers: [rooms],
    recorder: true,
    listen: false,
    log: silentLogger
  })
  t.after(() => server.stop())
  await server.start()
  await clock.pass(0)
  const before = await objectsOf(server)
  const watches = watched.map(async url => {
    return `${url}\n${(await server.inject({ url, user })).body}`
  })
  server.recorder!.clear()
  await work(server, clock)
  const requests = server.recorder!.json({ timings: false })
  const after = await objectsOf(server)
  // Events expire, and the watches end
  await clock.pass(3 * hour)
  const later = await objectsOf(server)
  const textOf = (object: object, path: string) =>
    JSON.stringify(before.get(path)) === JSON.stringify(object) ? JSON.stringify(object) : JSON.stringify(object, undefined, 2)
  const changes = [...after].filter(([path, object]) => JSON.stringify(later.get(path)) !== JSON.stringify(object))
  return [
    '# objects',
    ...[...after].map(([path, object]) => `${path}\n${textOf(object, path)}`),
    '# objects that change or go within three hours',
    ...changes.map(([path]) => `${path}\n${JSON.stringify(later.get(path)) ?? 'is gone'}`),
    '# watches',
    ...(await Promise.all(watches)),
    '# requests',
    requests
  ]
    .join('\n')
    .replaceAll(certificates, 'a certificate')
    .replaceAll(/(?<=kube-apiserver-serving:)[0-9a-f]+/g, 'digest')
}

test('a server with a seed and a fake clock is what the committed file says', async t => {
  const text = await seen(t)
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, text)
  const [expected, actual] = [readFileSync(golden, 'utf8').split('\n'), text.split('\n')]
  const at = expected.findIndex((line, i) => line !== actual[i])
  const [from, to] = [Math.max(0, at - 3), at + 4]
  assert.deepEqual(
    at < 0 ? actual.slice(expected.length) : actual.slice(from, to),
    at < 0 ? [] : expected.slice(from, to),
    `from line ${from + 1} of test/golden/server.txt on; after a change on purpose: UPDATE_GOLDEN=1 npm test -- golden`
  )
})
