/** The objects that a server creates and maintains itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { send } from '../../testkit/send.js'
import { ControllableClock } from '../../util/controllable-clock.js'
import { silentLogger } from '../../util/logger.js'

let server: BinnacleServer
const clock = new ControllableClock()

before(async () => {
  server = createServer({ log: silentLogger, clock })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body)

const until = async (url: string, isThere: (status: number, body: any) => boolean): Promise<any> =>
  (
    await eventually(
      `${url} is as wanted`,
      () => ask('GET', url),
      ({ status, body }) => isThere(status, body)
    )
  ).body

const registrations = '/apis/apiregistration.k8s.io/v1/apiservices'

test('every served version has an APIService, except that of APIServices themselves', async () => {
  const { body } = await ask('GET', registrations)
  const names = new Set(body.items.map((item: any) => item.metadata.name))
  const groups = (await ask('GET', '/apis')).body.groups.filter((group: any) => group.name !== 'apiregistration.k8s.io')
  const wanted = groups.flatMap((group: any) => group.versions.map(({ version }: any) => `${version}.${group.name}`))
  assert.deepEqual(names, new Set(['v1.', ...wanted]))
  for (const { status } of body.items) assert.equal(status.conditions[0].reason, 'Local')
})

test('every version of a custom resource has an APIService as long as a definition declares the version', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } }
  })
  const definition = (plural: string, versions: string[]) => ({
    metadata: { name: `${plural}.e.io` },
    spec: {
      group: 'e.io',
      scope: 'Cluster',
      names: { plural, singular: plural, kind: plural, listKind: `${plural}list` },
      versions: versions.map(version)
    }
  })
  await ask('POST', definitions, definition('ones', ['v1', 'v2']))
  await ask('POST', definitions, definition('twos', ['v1']))
  for (const name of ['v1', 'v2']) {
    const { spec } = await until(`${registrations}/${name}.e.io`, status => status === 200)
    assert.deepEqual(spec, { group: 'e.io', version: name, groupPriorityMinimum: 1000, versionPriority: 100 })
  }
  await ask('DELETE', `${registrations}/v1.e.io`)
  await until(`${registrations}/v1.e.io`, status => status === 200)
  await ask('DELETE', `${definitions}/ones.e.io`)
  await until(`${registrations}/v2.e.io`, status => status === 404)
  assert.equal((await ask('GET', `${registrations}/v1.e.io`)).status, 200)
  await ask('DELETE', `${definitions}/twos.e.io`)
  await until(`${registrations}/v1.e.io`, status => status === 404)
})

test('a FlowSchema reports whether its priority level exists, also when the level is created later', async () => {
  const flow = '/apis/flowcontrol.apiserver.k8s.io/v1'
  const spec = { priorityLevelConfiguration: { name: 'later' }, matchingPrecedence: 1500 }
  await ask('POST', `${flow}/flowschemas`, { metadata: { name: 'f' }, spec })
  const says = (status: string) => (_: number, body: any) => body.status?.conditions?.[0]?.status === status
  await until(`${flow}/flowschemas/f`, says('True'))
  await ask('POST', `${flow}/prioritylevelconfigurations`, {
    metadata: { name: 'later' },
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }
  })
  await until(`${flow}/flowschemas/f`, says('False'))
  await ask('DELETE', `${flow}/prioritylevelconfigurations/later`)
  await until(`${flow}/flowschemas/f`, says('True'))
})

test('the service range is a ServiceCIDR that is ready', async () => {
  const { body } = await ask('GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes')
  assert.deepEqual(body.spec.cidrs, ['10.0.0.0/24'])
  assert.equal(body.status.conditions[0].status, 'True')
})

test('a token Secret is filled with a valid token and deleted with its service account', async () => {
  const at = '/api/v1/namespaces/default'
  const annotations = { 'kubernetes.io/service-account.name': 'bot' }
  await ask('POST', `${at}/serviceaccounts`, { metadata: { name: 'bot' } })
  await ask('POST', `${at}/secrets`, { metadata: { name: 's', annotations }, type: 'kubernetes.io/service-account-token' })
  const { data } = await until(`${at}/secrets/s`, (_, body) => body.data?.token !== undefined)
  const token = Buffer.from(data.token, 'base64').toString()
  const whoAmI = () =>
    server.inject({
      method: 'POST',
      url: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: {}
    })
  assert.equal((await whoAmI()).json().status.userInfo.username, 'system:serviceaccount:default:bot')
  await until(`${at}/secrets/s`, (_, body) => body.metadata.labels?.['kubernetes.io/legacy-token-last-used'] !== undefined)
  await ask('DELETE', `${at}/serviceaccounts/bot`)
  await until(`${at}/secrets/s`, status => status === 404)
  // as in kube-apiserver, a token that was accepted is not looked up again for ten seconds
  clock.freeze()
  clock.advance(10_000)
  assert.equal((await whoAmI()).status, 401)
  clock.release()
})
