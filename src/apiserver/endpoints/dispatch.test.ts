/** The server executes the verb that it authorized: a user who may only read changes nothing, whatever the path and method. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { pick as pickFrom, random } from '../../testkit/random.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const reader = { name: 'reader', groups: ['system:authenticated'] }
const apiGroup = 'rbac.authorization.k8s.io'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const seed = Number(process.env.SEED ?? 1)
const below = random(seed)
const pick = <T>(items: readonly T[]): T => pickFrom(below, items)
let server: BinnacleServer

type User = typeof admin
const ask = (user: User, method: string, url: string, body?: object) => {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return server.inject({ method, url, user, body, headers: { 'content-type': type } })
}

async function make(url: string, body: object): Promise<void> {
  const { status, json } = await ask(admin, 'POST', url, body)
  assert.equal(status, 201, json().message)
}

const widgets = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
      }
    ]
  }
}

before(async () => {
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'proxy'] }]
  await make(`/apis/${apiGroup}/v1/clusterroles`, { metadata: { name: 'reading' }, rules })
  const subjects = [{ kind: 'User', name: reader.name }]
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'reading' }
  await make(`/apis/${apiGroup}/v1/clusterrolebindings`, { metadata: { name: 'reading' }, roleRef, subjects })
  await make('/api/v1/namespaces/default/configmaps', { metadata: { name: 'p' } })
  await make(definitions, widgets)
})
after(() => server.stop())

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'constructor']
const one = '/api/v1/watch/namespaces/default/configmaps/p'

describe('the deprecated /watch/ prefix', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    it(`refuses ${method}`, async () => {
      for (const user of [reader, admin]) assert.equal((await ask(user, method, one, { data: { a: 'b' } })).status, 405)
    })

  it('watches custom resources, whatever the method', async () => {
    const custom = '/apis/example.com/v1/watch/namespaces/default/widgets/p?resourceVersion=x'
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.match((await ask(reader, method, custom, {})).json().message, /resourceVersion/)
  })

  it('has no subresources', async () => {
    for (const method of methods) assert.ok([404, 405].includes((await ask(admin, method, `${one}/status`, {})).status))
  })
})

describe('a user who may only read', () => {
  const segments = [
    'watch',
    'proxy',
    'namespaces',
    'default',
    'configmaps',
    'pods',
    'widgets',
    'p',
    'status',
    'scale',
    'finalize',
    ''
  ]
  const path = () => {
    const prefix = pick(['/api/v1', '/api/v1', '/apis/example.com/v1', '/apis/apps/v1'])
    const usual = pick(['', '/watch', '/proxy']) + pick(['/namespaces/default', '', '/namespaces'])
    const rest = Array.from({ length: below(4) }, () => `/${pick(segments)}`).join('')
    return `${prefix}${usual}${rest}${pick(['', '', '/', '//'])}?timeoutSeconds=1${pick(['', '&watch=1', '&fieldSelector=metadata.name%3Dp'])}`
  }

  it(`changes nothing through any path and method (SEED=${seed})`, async () => {
    const objects = ['/api/v1/configmaps', '/api/v1/namespaces', '/api/v1/pods', definitions, '/apis/example.com/v1/widgets']
    const state = async () => Promise.all(objects.map(async url => (await ask(admin, 'GET', url)).body.toString()))
    const before = await state()
    for (let i = 0; i < 2000; i++) {
      const [method, url] = [pick(methods), path()]
      if (method === 'GET' || method === 'HEAD') continue
      const { status } = await ask(reader, method, url, { metadata: { name: pick(['p', 'q', 'default']), namespace: 'default' } })
      // of custom resources, the old prefix watches with every method
      assert.ok(status >= 400 || url.startsWith('/apis/example.com/v1/watch/'), `${method} ${url}: ${status}`)
    }
    assert.deepEqual(await state(), before)
  })
})
