/** Objects that were stored in a version which their definition has no more: how they are reported, and how they are removed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { createServer } from '../server/server.js'
import { silentLogger } from '../util/logger.js'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const alice = { name: 'alice', groups: ['system:authenticated'] }
const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential=true'
const widgets = '/apis/example.com/v2/namespaces/default/widgets'

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema })
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version('v1', true), version('v2', false)]
  }
}

const widget = (name: string, version = 'v2') => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name }
})

interface Asked {
  readonly body?: object
  readonly user?: typeof admin
}

async function sender(server: BinnacleServer) {
  const send = async (method: string, url: string, { body, user = admin }: Asked = {}) => {
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}
    const answer = await server.inject({ method, url, user, headers, ...(body ? { body } : {}) })
    return { status: answer.status, body: answer.json() }
  }
  await send('POST', definitions, { body: definition })
  const one = `${definitions}/widgets.example.com`
  for (const name of ['a', 'b'])
    assert.equal((await send('POST', widgets.replace('v2', 'v1'), { body: widget(name, 'v1') })).status, 201)
  await send('PATCH', one, { body: { spec: { versions: [version('v1', false), version('v2', true)] } } })
  await send('PATCH', `${one}/status`, { body: { status: { storedVersions: ['v2'] } } })
  assert.equal((await send('PATCH', one, { body: { spec: { versions: [version('v2', true)] } } })).status, 200)
  assert.equal((await send('POST', widgets, { body: widget('fine') })).status, 201)
  return send
}

const why = /object not decodable revision=\d+: request to convert CR from an invalid group\/version: example.com\/v1$/
const startOf = (key: string) => `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: `

describe('objects of a version that is gone', () => {
  let server: BinnacleServer
  let send: Awaited<ReturnType<typeof sender>>
  before(async () => {
    server = createServer({ log: silentLogger, controllers: [] })
    await server.start()
    send = await sender(server)
  })
  after(() => server.stop())

  it('are named by the errors of reads', async () => {
    const { status, body } = await send('GET', `${widgets}/a`)
    assert.equal(status, 500)
    assert.equal(body.reason, 'InternalError')
    assert.match(body.message, why)
    assert.ok(body.message.startsWith(`Internal error occurred: ${startOf('/example.com/widgets/default/a')}`), body.message)
    const list = await send('GET', widgets)
    assert.equal(list.body.reason, 'StorageReadError')
    assert.match(list.body.message, /^failed to read one or more widgets.example.com from the storage: .* \(and 1 more\)$/)
    assert.deepEqual(
      list.body.details.causes.map(({ reason, field }: any) => [reason, field]),
      ['a', 'b'].map(name => ['UnexpectedServerResponse', `/registry/example.com/widgets/default/${name}`])
    )
    for (const { message, field } of list.body.details.causes) {
      assert.ok(message.startsWith(startOf(field)), message)
      assert.match(message, why)
    }
  })

  it('can be neither written nor deleted', async () => {
    const body = widget('a')
    assert.equal((await send('POST', widgets, { body })).status, 409)
    for (const method of ['PUT', 'PATCH']) {
      const { status, body: answer } = await send(method, `${widgets}/a`, { body })
      assert.equal(status, 500)
      assert.match(answer.message, /^object not decodable revision=/)
    }
    assert.match((await send('DELETE', `${widgets}/a`)).body.message, /^Internal error occurred: StorageError: corrupt object/)
  })

  it('are removed by an unsafe deletion, which removes no other', async () => {
    const remove = (name: string, query = '', user = admin) => send('DELETE', `${widgets}/${name}?${unsafe}${query}`, { user })
    assert.equal((await remove('missing')).status, 404)
    const fine = await remove('fine')
    assert.equal(fine.status, 409)
    assert.match(fine.body.message, /unsafe deletion is not allowed because the object is decodable from storage$/)
    const done = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name: 'a', kind: 'Widget' } }
    assert.deepEqual((await remove('a', '&dryRun=All')).body, { ...done, code: 200 })
    assert.equal((await send('GET', `${widgets}/a`)).status, 500)
    assert.deepEqual((await remove('a')).body, { ...done, code: 200 })
    assert.equal((await send('GET', `${widgets}/a`)).status, 404)
  })

  it('are removed only by those who may, one by one, and without other options', async () => {
    const subjects = [{ kind: 'User', name: 'alice' }]
    const rules = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['delete'] }]
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await send('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'deleter' }, rules } })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'deleter' }
    await send('POST', `${rbac}/clusterrolebindings`, { body: { metadata: { name: 'deleter' }, roleRef, subjects } })
    const refused = await send('DELETE', `${widgets}/b?${unsafe}`, { user: alice })
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /: not permitted to do "unsafe-delete-ignore-read-errors", reason: /)
    const all = await send('DELETE', `${widgets}?${unsafe}`)
    assert.match(all.body.message, /is not allowed with DELETECOLLECTION, try again after removing the option$/)
    const more = await send('DELETE', `${widgets}/b?${unsafe}&gracePeriodSeconds=1&propagationPolicy=Orphan`)
    assert.deepEqual(
      more.body.details.causes.map(({ message }: any) => message),
      ['propagationPolicy', 'gracePeriodSeconds'].map(field => `Invalid value: true: cannot be set together with .${field}`)
    )
    assert.equal((await send('GET', `${widgets}/b`)).status, 500)
  })
})

it('objects of a version that is gone stay without the feature gate', async () => {
  const server = createServer({
    log: silentLogger,
    controllers: [],
    featureGates: { AllowUnsafeMalformedObjectDeletion: false }
  })
  await server.start()
  try {
    const send = await sender(server)
    const { body } = await send('GET', `${widgets}/a`)
    assert.equal(body.message, 'request to convert CR from an invalid group/version: example.com/v1')
    assert.equal((await send('DELETE', `${widgets}/a?${unsafe}`)).body.message, body.message)
    assert.equal((await send('GET', widgets)).body.message, body.message)
  } finally {
    await server.stop()
  }
})
