import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { InjectedRequest } from '../../apimachinery/request/injected.js'
import { type BinnacleServer, createServer, type ServerOptions } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const maps = '/api/v1/namespaces/default/configmaps'
let server: BinnacleServer
let events: any[]

async function start(level: 'None' | 'Metadata' | 'Request' | 'RequestResponse', options: Partial<ServerOptions> = {}) {
  events = []
  server = createServer({
    log: silentLogger,
    auditPolicy: { omitStages: ['RequestReceived'], rules: [{ level: 'None', users: ['system:apiserver'] }, { level }] },
    auditWrite: event => void events.push(event),
    ...options
  })
  await server.start()
}

/** Sends a request, and returns its events. */
async function eventsOf(request: InjectedRequest, isAnonymous = false) {
  events.length = 0
  await server.inject(isAnonymous ? request : { user: admin, ...request })
  return events
}

afterEach(() => server.stop())

describe('audit events', () => {
  it('at Metadata tell who asked for what, and hold no object', async () => {
    await start('Metadata')
    const [event, ...others] = await eventsOf({
      url: '/api/v1/namespaces/default/secrets?fieldManager=<m>',
      body: { metadata: { name: 's' }, data: { password: 'c2VjcmV0' } },
      headers: { 'user-agent': `${'a'.repeat(1024)}b`, 'audit-id': 'mine "1" <>' }
    })
    assert.equal(others.length, 0)
    const { requestReceivedTimestamp, stageTimestamp, userAgent, ...rest } = event
    assert.match(requestReceivedTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    assert.ok(stageTimestamp >= requestReceivedTimestamp)
    assert.equal(userAgent, `${'a'.repeat(1024)}...TRUNCATED`)
    assert.deepEqual(rest, {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'mine "1" <>',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/default/secrets?fieldManager=<m>',
      verb: 'create',
      user: { username: 'admin', groups: ['system:masters'] },
      sourceIPs: ['127.0.0.1'],
      objectRef: { resource: 'secrets', namespace: 'default', name: 's', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' }
    })
  })

  it('hold the objects of a request with defaults, but nothing that the server sets', async () => {
    await start('RequestResponse')
    const body = { metadata: { name: 's', uid: 'u1', managedFields: [{ manager: 'x' }] }, spec: { ports: [{ port: 80 }] } }
    const [event] = await eventsOf({ url: '/api/v1/namespaces/default/services', body })
    assert.deepEqual(event.objectRef, { resource: 'services', namespace: 'default', name: 's', uid: 'u1', apiVersion: 'v1' })
    assert.equal(event.requestObject.spec.ports[0].protocol, 'TCP')
    assert.equal(event.requestObject.spec.clusterIP, undefined)
    assert.deepEqual(event.requestObject.metadata, body.metadata)
    assert.match(event.responseObject.spec.clusterIP, /^10\./)
    assert.ok(event.responseObject.metadata.managedFields.length > 0)
  })

  it('may lack managed fields', async () => {
    await start('RequestResponse', { auditPolicy: { omitManagedFields: true, rules: [{ level: 'RequestResponse' }] } })
    await eventsOf({ url: maps, body: { metadata: { name: 'a' }, data: { a: 'b' } } })
    for (const [url, accept] of [
      [`${maps}/a`, 'application/json'],
      [maps, 'application/json'],
      [maps, 'application/json;as=Table;v=v1;g=meta.k8s.io'],
      [`${maps}?labelSelector=`, 'application/yaml']
    ] as const) {
      const found = await eventsOf({ url, headers: { accept } })
      assert.ok(found.at(-1).responseObject)
      assert.ok(!JSON.stringify(found).includes('managedFields'), url)
    }
  })

  it('show answers in JSON whatever the client got', async () => {
    await start('RequestResponse')
    await eventsOf({ url: maps, body: { metadata: { name: 'a' }, data: { a: 'b' } } })
    const shown = async (url: string, accept: string) =>
      (await eventsOf({ url, headers: { accept, 'accept-encoding': 'gzip' } }))[0].responseObject
    const expected = await shown(`${maps}/a`, 'application/json')
    assert.deepEqual(expected.data, { a: 'b' })
    for (const accept of ['application/yaml', 'application/vnd.kubernetes.protobuf', 'application/json;pretty=1'])
      assert.deepEqual(await shown(`${maps}/a`, accept), expected, accept)
    const list = await shown(maps, 'application/json')
    assert.equal(list.kind, 'ConfigMapList')
    for (const accept of ['application/yaml', 'application/vnd.kubernetes.protobuf'])
      assert.deepEqual((await shown(maps, accept)).items, list.items, accept)
    assert.equal((await shown(maps, 'application/json;as=Table;v=v1;g=meta.k8s.io')).kind, 'Table')
  })

  it('have a patch as it was sent; one that is not JSON is refused before it is recorded', async () => {
    await start('Request')
    await eventsOf({ url: maps, body: { metadata: { name: 'a' } } })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const [event] = await eventsOf({ method: 'PATCH', url: `${maps}/a`, headers, body: '{ "data": {"k": "<1>"} }' })
    assert.deepEqual(event.requestObject, { data: { k: '<1>' } })
    const [refused] = await eventsOf({ method: 'PATCH', url: `${maps}/a`, headers, body: '{nope' })
    assert.deepEqual([refused.requestObject, refused.responseStatus.message], [undefined, 'invalid JSON patch'])
    const { body } = await server.inject({ url: '/metrics', user: admin })
    assert.match(body.toString(), /apiserver_audit_level_total\{level="Request"\} \d/)
  })

  it('have the options of a deletion', async () => {
    await start('Request')
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }
    const [event] = await eventsOf({ method: 'DELETE', url: `${maps}/none`, body })
    assert.deepEqual(event.requestObject, {
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/__internal',
      propagationPolicy: 'Background'
    })
    assert.equal(event.responseStatus.reason, 'NotFound')
  })

  it('tell of requests that are refused', async () => {
    await start('RequestResponse')
    const [unauthorized, ...more] = await eventsOf({ url: maps, headers: { authorization: 'Bearer x' } }, true)
    assert.equal(more.length, 0)
    assert.deepEqual([unauthorized.stage, unauthorized.user, unauthorized.responseStatus.code], ['ResponseStarted', {}, 401])
    const headers = { authorization: 'Bearer x', accept: 'image/png' }
    const [formless] = await eventsOf({ url: maps, headers }, true)
    assert.equal(formless.responseStatus.message, 'Authentication failed, attempted: bearer')
    const [forbidden] = await eventsOf({ url: maps, user: { name: 'eve', groups: [] } })
    assert.equal(forbidden.annotations['authorization.k8s.io/decision'], 'forbid')
    assert.equal(forbidden.responseStatus.reason, 'Forbidden')
    const [late] = await eventsOf({ url: `${maps}?timeout=abc` })
    assert.deepEqual([late.stage, late.responseStatus.code], ['ResponseStarted', 400])
  })

  it('tell of impersonation', async () => {
    await start('Metadata')
    const [event] = await eventsOf({ url: maps, headers: { 'impersonate-user': 'bob' } })
    assert.deepEqual(event.impersonatedUser, { username: 'bob', groups: ['system:authenticated'] })
    assert.equal(event.authenticationMetadata.impersonationConstraint, 'impersonate:user-info')
    assert.equal(event.user.username, 'admin')
  })

  it('come twice of a watch', async () => {
    await start('Metadata')
    const found = await eventsOf({ url: '/api/v1/namespaces/default/endpoints?watch=1&timeoutSeconds=1' })
    assert.deepEqual(
      found.map(e => e.stage),
      ['ResponseStarted', 'ResponseComplete']
    )
    assert.deepEqual(
      found.map(e => e.annotations['k8s.io/deprecated']),
      [undefined, 'true']
    )
  })

  it('tell of a panic', async () => {
    const kaput = {
      authorize: () => {
        throw new Error('kaput')
      }
    }
    await start('Metadata', { authorizers: [kaput as never] })
    const [event] = await eventsOf({ url: maps, user: { name: 'eve', groups: [] } })
    assert.equal(event.stage, 'Panic')
    assert.deepEqual(event.responseStatus, {
      metadata: {},
      status: 'Failure',
      message: "APIServer panic'd: kaput",
      reason: 'InternalError',
      code: 500
    })
  })

  it('are not made at None', async () => {
    await start('None')
    assert.deepEqual(await eventsOf({ url: maps }), [])
  })

  it('tell the id of a token that was issued', async () => {
    await start('Metadata')
    await eventsOf({ url: '/api/v1/namespaces/default/serviceaccounts', body: { metadata: { name: 'sa' } } })
    const [event] = await eventsOf({ url: '/api/v1/namespaces/default/serviceaccounts/sa/token', body: { spec: {} } })
    assert.match(event.annotations['authentication.kubernetes.io/issued-credential-id'], /^JTI=[\da-f-]{36}$/)
    assert.equal(event.requestObject, undefined)
  })
})
