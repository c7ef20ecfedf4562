/** Events of both groups, which are the same stored objects. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'

const user = { name: 'tester', groups: ['system:masters'] }
let server: BinnacleServer

before(async () => {
  server = createServer({ log: { info() {}, warn() {}, error() {} } as never })
  await server.start()
})
after(() => server.stop())

test('field selectors use the field names of the requested group', async () => {
  const event = {
    metadata: { name: 'e', namespace: 'default' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    source: { component: 'scheduler' },
    reason: 'Scheduled',
    reportingComponent: 'rc'
  }
  const headers = { 'content-type': 'application/json' }
  const created = await server.inject({ method: 'POST', url: '/api/v1/namespaces/default/events', user, body: event, headers })
  assert.equal(created.status, 201)

  const select = async (path: string, selector: string) => {
    const answer = await server.inject({ method: 'GET', url: `${path}/events?fieldSelector=${selector}`, user, headers })
    return answer.json().items?.length ?? answer.json().message
  }
  const [core, events] = ['/api/v1', '/apis/events.k8s.io/v1']
  assert.equal(await select(core, 'involvedObject.name=p,source=scheduler,reportingComponent=rc'), 1)
  assert.equal(await select(events, 'regarding.name=p,regarding.kind=Pod,reportingController=rc,reason=Scheduled'), 1)
  assert.equal(await select(events, 'regarding.name!=p'), 0)
  assert.equal(await select(core, 'regarding.name=p'), 'field label not supported: regarding.name')
  for (const field of ['involvedObject.name', 'source', 'reportingComponent'])
    assert.equal(await select(events, `${field}=p`), `field label not supported: ${field}`)
})

test('an update in one group forgets who owned fields of the other, and says who changed what', async () => {
  const headers = { 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body: object, type = 'application/json') =>
    (await server.inject({ method, url, user, body, headers: { ...headers, 'content-type': type } })).json()
  const event = {
    metadata: { name: 'two' },
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'R',
    type: 'Normal',
    action: 'A',
    reportingController: 'x.y/z',
    reportingInstance: 'i',
    eventTime: '2024-01-01T00:00:00.000001Z'
  }
  await ask('POST', '/apis/events.k8s.io/v1/namespaces/default/events?fieldManager=new', event)
  const at = '/api/v1/namespaces/default/events/two'
  const changed = await ask('PATCH', `${at}?fieldManager=core`, { reason: 'Q' }, 'application/merge-patch+json')
  const entries = changed.metadata.managedFields.map((entry: any) => [entry.manager, entry.apiVersion, entry.fieldsV1])
  assert.deepEqual(entries, [['core', 'v1', { 'f:reason': {} }]])
})
