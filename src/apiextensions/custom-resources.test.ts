/** Definitions in groups of the server's own kinds. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type BinnacleServer, createServer, defineKind } from '../index.js'
import { eventually } from '../testkit/eventually.js'
import { send } from '../testkit/send.js'
import { silentLogger } from '../util/logger.js'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
let server: BinnacleServer

const own = defineKind({ group: 'own.example.com', kind: 'Course', resource: 'courses', versions: [{ name: 'v1', schema }] })

before(async () => {
  server = createServer({ log: silentLogger, kinds: [own] })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body)

async function define(plural: string, group: string, version: string, kind: string): Promise<void> {
  const metadata = { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } }
  const versions = [{ name: version, served: true, storage: true, schema }]
  const made = await ask('POST', definitions, {
    metadata,
    spec: { group, scope: 'Cluster', names: { plural, kind }, versions }
  })
  assert.equal(made.status, 201, made.body.message)
  await eventually(`${plural}.${group} is served`, async () => {
    const { body } = await ask('GET', `${definitions}/${plural}.${group}`)
    return body.status.conditions?.some((c: any) => c.type === 'Established' && c.status === 'True')
  })
}

async function undefine(name: string): Promise<void> {
  await ask('DELETE', `${definitions}/${name}`)
  await eventually(
    `${name} is gone`,
    () => ask('GET', `${definitions}/${name}`),
    ({ status }) => status === 404
  )
}

describe('a definition in a built-in group', () => {
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'

  it('does not affect a built-in resource, not even when it is deleted', async () => {
    await define('clusterroles', 'rbac.authorization.k8s.io', 'v1', 'ClusterRole')
    const { body } = await ask('GET', `${roles}/cluster-admin`)
    assert.equal(body.rules.length, 2)
    assert.equal((await ask('POST', roles, { metadata: { name: 'x' }, rules: 5 })).status, 400)
    await undefine('clusterroles.rbac.authorization.k8s.io')
    assert.equal((await ask('GET', `${roles}/cluster-admin`)).status, 200)
  })

  it('does not touch stored objects under its name', async () => {
    const services = '/apis/apiregistration.k8s.io/v1/apiservices'
    await define('apiservices', 'apiregistration.k8s.io', 'v9', 'APIService')
    assert.equal((await ask('GET', '/apis/apiregistration.k8s.io/v9/apiservices')).status, 404)
    await undefine('apiservices.apiregistration.k8s.io')
    assert.equal((await ask('GET', `${services}/v1.apps`)).status, 200)
  })

  it('does not affect reviews', async () => {
    await define('tokenreviews', 'authentication.k8s.io', 'v1', 'TokenReview')
    const { status, body } = await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } })
    assert.equal(status, 201)
    assert.equal(body.status.error, 'invalid bearer token')
  })

  it('adds nothing to the group', async () => {
    await define('foos', 'storage.k8s.io', 'v9', 'Foo')
    assert.equal((await ask('GET', '/apis/storage.k8s.io/v9/foos')).status, 404)
    assert.equal((await ask('GET', '/apis/storage.k8s.io/v9')).status, 404)
  })
})

describe('a definition of a kind that is written in TypeScript', () => {
  it('is not served', async () => {
    await define('courses', 'own.example.com', 'v2', 'Course')
    assert.equal((await ask('GET', '/apis/own.example.com/v2/courses')).status, 404)
    assert.equal((await ask('GET', '/apis/own.example.com/v1/courses')).status, 200)
  })
})

it('a kind that is written in TypeScript cannot be in a built-in group', async () => {
  const kind = defineKind({ ...own, group: 'networking.k8s.io' })
  await assert.rejects(createServer({ log: silentLogger, kinds: [kind] }).start(), /the group networking\.k8s\.io is built in/)
})
