import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openEtcdStore } from '../storage/etcd/store.js'
import { startEtcd, withoutEtcd } from '../storage/testing/etcd-process.js'
import { silentLogger } from '../util/logger.js'
import { etcdOverrides } from './etcd-overrides.js'
import { createServer } from './server.js'

const user = { name: 'admin', groups: ['system:masters'] }

describe('--etcd-servers-overrides', () => {
  it('groups resources by their servers, in whatever order these are named', () =>
    assert.deepEqual(etcdOverrides(['/events#http://a;http://b', 'apps/deployments#http://c', '/services#http://b;http://a']), [
      { servers: ['http://a', 'http://b'], paths: new Set(['events', 'services/specs']) },
      { servers: ['http://c'], paths: new Set(['deployments']) }
    ]))

  it('refuses what is no override', () => {
    for (const text of ['events#http://a', '/events', '/events#', '/events#http://a;', '/a/b#http://a', '/events#a#b'])
      assert.throws(() => etcdOverrides([text]), /must be of format: group\/resource#servers/, text)
    assert.throws(() => etcdOverrides(['/widgets#http://a']), /no built-in resource has this group and name/)
  })

  it('stores the objects of the resource, under each of its groups, in the other etcd only', {
    skip: withoutEtcd ?? false
  }, async t => {
    const [one, two] = await Promise.all([startEtcd(), startEtcd()])
    t.after(() => Promise.all([one.remove(), two.remove()]))
    const server = createServer({
      log: silentLogger,
      storageBackend: 'etcd3',
      etcdServers: [one.url],
      etcdServersOverrides: [`/events#${two.url}`]
    })
    t.after(() => server.stop())
    await server.start()
    const ask = async (url: string, body?: object) => (await server.inject({ url, user, ...(body ? { body } : {}) })).json()
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' }
    const created = await ask('/api/v1/namespaces/default/events', { metadata: { name: 'e' }, involvedObject, reason: 'Tested' })
    assert.equal(created.metadata.name, 'e')
    await ask('/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' } })
    assert.equal((await ask('/apis/events.k8s.io/v1/namespaces/default/events/e')).reason, 'Tested')
    assert.equal((await ask('/api/v1/events')).items.length, 1)
    const keys = async (url: string) => {
      const store = await openEtcdStore({ servers: [url], compactionInterval: 0, log: silentLogger })
      const { items } = await store.list('/registry/')
      await store.close()
      return items.map(({ key }) => key)
    }
    assert.deepEqual(await keys(two.url), ['/registry/events/default/e'])
    const main = await keys(one.url)
    assert.ok(main.includes('/registry/configmaps/default/c') && !main.some(key => key.startsWith('/registry/events/')))
    const verbose = async (path: string) => (await server.inject({ url: `${path}?verbose`, user })).body.toString()
    assert.match(await verbose('/readyz'), /etcd-override-0 ok[\s\S]*etcd-override-readiness-0 ok/)
    assert.match(await verbose('/livez'), /etcd-override-0 ok/)
  })
})
